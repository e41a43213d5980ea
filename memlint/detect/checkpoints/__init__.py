"""MEM7xx: saving and loading."""
