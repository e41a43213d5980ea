"""Edits that the fixes of several rules are made of."""
