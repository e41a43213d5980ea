"""One file in, its diagnostics out; what concerns several files; the cache."""
