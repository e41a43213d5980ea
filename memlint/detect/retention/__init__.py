"""MEM1xx: what outlives an iteration."""
