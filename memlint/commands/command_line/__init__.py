"""How the words behind a script are read: which belong to memlint, and which to the script."""
