"""What the commands that run a script, `replay` and `fit`, have in common."""
