"""What `memlint check` does beside checking: where reports go, known findings, progress, watching."""
