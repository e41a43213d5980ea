"""The child half: the process that runs the script, with torch."""
