"""Which conventions give a number that somebody saw (docs/how-to/reconcile.md)."""
