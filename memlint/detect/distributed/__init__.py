"""MEM6xx: several GPUs and processes."""
