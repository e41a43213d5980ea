"""How far an abstract run goes, and how old what it begins with is."""

from __future__ import annotations

FUEL = 25_000
"""Statements that are run before the run begins to be sparing with functions not yet called."""

LEAST_FUEL = 20
"""Statements that each of those may run all the same, with what it calls."""

SPARE_FUEL = 30_000
"""Statements that these may run together. What is left over then is not looked at, and the report says so."""

CROSS_MODULE_FUEL = 400
"""Statements of other modules that may be run beyond these."""

ENTRY_FUEL = 300
"""Statements of other modules for functions that nothing in the file calls."""

MOST_LINKS = 5_000_000
"""Links from each value that a run makes to those that it is made from. Where thousands of loops add to one
sum, each value may come from all before it: a script with so many takes 20 s and half a GiB, one of twice the
length four times that. Published files have thousands."""

TWICE_IN = 8
"""Loops around a loop, across calls, from which on its body is run once, not twice: each doubles the work."""

TIMELESS = 1 << 60
"""The age of what has no graph behind it: leaves, and data from elsewhere."""


class TooManyLinksError(Exception):
    """The values of a script are made from one another in more ways than `MOST_LINKS`."""
