"""Pages that are served: people judge in the browser."""
