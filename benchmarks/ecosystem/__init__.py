"""Findings in published packages, compared with the reviewed ones."""
