"""What becomes of values: their uses, and results that are only looked at."""
