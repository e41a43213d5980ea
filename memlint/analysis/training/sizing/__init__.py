"""How large networks, their gradients and their outputs are, as far as a file shows."""
