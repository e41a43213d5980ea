"""Changes that are made to a script while it runs, to measure what they would save; which it would allow.

A change is named by a word, and what it is about behind a colon: "checkpoint", "accumulate:2:0".
"""
