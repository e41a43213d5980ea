"""Each claim held against what was measured: one module for a type of claim."""
