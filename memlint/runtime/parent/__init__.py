"""The parent half: which experiments are run, in what order, and what they say. It never imports torch."""
