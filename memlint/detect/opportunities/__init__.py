"""Rules about memory that other code for the same computation would not need."""
