"""Renderings of findings: one small file per output format, all reading the same data."""
