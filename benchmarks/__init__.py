"""Measurements of memlint beside its peers and beside the floor that libcst sets."""
