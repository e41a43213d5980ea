"""memlint finds the lines of a training script that waste or leak memory, and fixes them."""

from __future__ import annotations

__version__ = "0.3.0"
