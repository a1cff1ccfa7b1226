"""Labels from language models: what is asked, how answers are read, and what it costs."""
