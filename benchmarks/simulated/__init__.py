"""What `memlint replay --device simulate` predicts beside what a real GPU needs."""
