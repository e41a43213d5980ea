"""MEM9xx: names that moved, changed or never existed."""
