"""The shapes of tensors and arrays, as far as the code that makes them gives them."""
