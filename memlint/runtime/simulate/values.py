"""Values under simulation: the few that are known, and the rest, which are made up, counted and listed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import torch

from memlint.runtime.log import NO_SITE, Log
from memlint.runtime.private import COUNTS_VERSIONS, FakeTensor, changes, tree_iter, tree_map, version
from memlint.runtime.tracker import Sites
from memlint.session import Invented

LIMIT = 4096
"""Elements up to which a tensor that was copied to the simulated GPU keeps its values."""

_SCALER = ("_maybe_opt_step", "grad_scaler.py")


class Values:
    """Remembers true values of small tensors beside their fakes, and counts what had to be made up.

    A value belongs to one version of its tensor: torch counts every change in place, of views too.
    """

    def __init__(self, log: Log, sites: Sites) -> None:
        self._log = log
        self._sites = sites
        self._made_up: Counter[tuple[int, str]] = Counter()

    # --- what is known -----------------------------------------------------------------------------

    def keep(self, fake: Any, value: torch.Tensor) -> None:
        """`fake` has this value until something changes it."""
        countable = isinstance(fake, FakeTensor) and COUNTS_VERSIONS and not fake.is_inference()
        if countable and value.shape == fake.shape:
            fake.memlint_value = (value, version(fake))

    def known(self, fake: torch.Tensor) -> torch.Tensor | None:
        """The true value of a fake tensor, if there is one."""
        value, kept = getattr(fake, "memlint_value", (None, 0))
        if value is None or fake.is_inference() or version(fake) != kept:
            return None
        return value  # type: ignore[no-any-return]

    def known_arguments(self, func: Any, args: Any, kwargs: Any) -> tuple[Any, Any] | None:
        """The arguments with true values in place of fakes; None where one is unknown or drawn by chance."""
        first = next((value for value in args if isinstance(value, FakeTensor)), None)
        if first is not None and not hasattr(first, "memlint_value"):
            return None
        fakes = [value for value in tree_iter((args, kwargs)) if isinstance(value, FakeTensor)]
        if not fakes or changes(func) or torch.Tag.nondeterministic_seeded in func.tags:
            return None
        if any(fake.numel() > LIMIT or self.known(fake) is None for fake in fakes):
            return None
        return tree_map(self.real, args), tree_map(self.real, kwargs)

    def derive(self, func: Any, known: tuple[Any, Any], out: Any) -> None:
        """Compute what an operation on known values gives, beside its fake result."""
        if not isinstance(out, FakeTensor) or out.numel() > LIMIT:
            return
        try:
            value = func(*known[0], **known[1])
        except (RuntimeError, NotImplementedError, TypeError, ValueError):
            return  # The value stays unknown: reading it will be counted.
        if isinstance(value, torch.Tensor) and value.dtype == out.dtype:
            self.keep(out, value)

    def real(self, value: Any) -> Any:
        """An argument for a kernel that runs on the CPU: the known value of a fake, else itself."""
        if isinstance(value, FakeTensor):
            return self.known(value)
        return torch.device("cpu") if isinstance(value, torch.device) else value

    # --- what is made up ---------------------------------------------------------------------------

    def scalar(self, fake: torch.Tensor) -> Any:
        """What .item() answers."""
        value = self.known(fake)
        if value is not None:
            return value.item()
        if _found_inf():
            self.count("gradients taken as finite by GradScaler")
            return 0.0
        self.count(f".item() of a {_word(fake.dtype)} taken as {_guess(fake.dtype)}")
        return _guess(fake.dtype)

    def on_host(self, fake: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """The copy of a fake tensor in host memory: ones for floating point, else zeros."""
        value = self.known(fake)
        if value is not None:
            return value.to(dtype)
        self.count("values copied to the host")
        make = torch.ones if dtype.is_floating_point or dtype.is_complex else torch.zeros
        return make(fake.shape, dtype=dtype)

    def count(self, what: str) -> None:
        """One more invented value at the line of the project that asks for it."""
        self._made_up[self._sites.here(sys._getframe(1)), what] += 1

    def invented(self, sites: Sequence[tuple[str, int]], name: Callable[[str], str]) -> tuple[Invented, ...]:
        """Everything that was made up, by line; the most often first."""
        rows = []
        for (site, what), times in self._made_up.items():
            path, line = sites[site] if site != NO_SITE else ("", 0)
            rows.append(Invented(name(path), line, what, times))
        return tuple(sorted(rows, key=lambda row: (-row.times, row.file, row.line, row.what)))


def _found_inf() -> bool:
    frame, depth = sys._getframe(2), 0
    while frame is not None and depth < 12:
        if frame.f_code.co_name == _SCALER[0] and frame.f_code.co_filename.endswith(_SCALER[1]):
            return True
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return False


def _guess(dtype: torch.dtype) -> Any:
    if dtype == torch.bool:
        return False
    return complex(1) if dtype.is_complex else 1.0 if dtype.is_floating_point else 1


def _word(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
