"""The dispute pack."""
