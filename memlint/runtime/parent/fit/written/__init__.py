"""Changes as they are written into a script."""
