"""Trees that are large or odd, and what checking them costs."""
