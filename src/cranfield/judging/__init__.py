"""Labels from people and from models: kept apart, checked against each other, and exported."""
