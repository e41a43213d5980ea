"""The memory of the imagined GPU: torch's caching allocator, and what a run needs with other sizes of it."""
