"""MEM5xx: the caching allocator and the devices a process sees."""
