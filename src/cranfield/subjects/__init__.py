"""What a collection is about: topics proposed by clustering, and how near two collections are."""
