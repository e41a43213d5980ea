"""Turning planned changes of the tree into byte-exact edits, and applying them safely."""
