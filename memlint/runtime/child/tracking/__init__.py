"""Which tensors live, which line made them, what torch itself counts."""
