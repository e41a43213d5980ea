"""What the people who work on memlint run; none of it is shipped in the wheel."""
