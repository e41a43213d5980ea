"""Scripts and session files that were changed at random, and what must hold of memlint's answer to them."""
