"""Small tools that every floor may use: whole-file writes, progress, fingerprints."""
