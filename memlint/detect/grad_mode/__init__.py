"""MEM2xx: autograd graphs that nobody needs."""
