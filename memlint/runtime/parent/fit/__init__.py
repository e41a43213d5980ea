"""Whether a script fits into a GPU: which simulations that takes, and what they say."""
