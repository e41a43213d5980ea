"""From the log of allocations to lines, modules, and the objects that hold what grows."""
