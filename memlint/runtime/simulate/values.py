"""Values under simulation: the few that are known, and the rest, which are made up, counted and listed."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import torch

from memlint.runtime.child.log import NO_SITE, Log
from memlint.runtime.child.private import COUNTS_VERSIONS, changes, version, written
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.simulate import ranges
from memlint.runtime.simulate.private import FakeTensor, operators, tree_iter, tree_map
from memlint.session import Invented

LIMIT = 4096
"""Elements up to which a tensor that was copied to the simulated GPU keeps its values."""

_CONSTANT = operators(
    "zeros.default ones.default full.default zeros_like.default ones_like.default full_like.default "
    "new_zeros.default new_ones.default new_full.default arange.default arange.start arange.start_step "
    "eye.default eye.m linspace.default scalar_tensor.default".split()
)
"""Operations whose results hang on no value of a tensor. Of one in place, torch counts the change later."""

_FILLS = operators("zero_.default fill_.Scalar fill_.Tensor copy_.default".split())
"""Operations in place after which a tensor has nothing of the values that it had before."""

_NORMS = operators("native_batch_norm.default cudnn_batch_norm.default _batch_norm_with_update.default "
                   "_native_batch_norm_legit.default batch_norm_update_stats.default".split())  # fmt: skip
"""Operations that write into arguments, and do not say so to those who count changes."""

_SAFE = ("gradients taken as finite", "assert passed over")
"""What no script acts upon."""

_ALL = operators("all.default all.dim all.dims".split())

_SCALER = ("_maybe_opt_step", "grad_scaler.py")


class Values:
    """Remembers true values of small tensors beside their fakes, and counts what had to be made up.

    A value belongs to one version of its tensor: torch counts every change in place, of views too.
    """

    def __init__(self, log: Log, sites: Sites) -> None:
        self._log = log
        self._sites = sites
        self._made_up: Counter[tuple[int, str]] = Counter()
        self._latest: dict[tuple[int, str], None] = {}

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

    def filled(self, fake: Any, source: Any) -> None:
        """Every element of `fake` is being overwritten, by a number or a tensor.

        Torch counts the change once the operation has ended.
        """
        if isinstance(source, FakeTensor):
            source = self.known(source)
        if source is None or not COUNTS_VERSIONS or fake.is_inference() or not fake.numel():
            return
        value = torch.as_tensor(source).detach().to(fake.dtype)
        if fake.numel() <= LIMIT:
            fake.memlint_value = (value.expand(fake.shape).clone(), version(fake) + 1)
        elif (ends := ranges.of(value)) is not None:
            ranges.keep(fake, ends, ahead=1)

    def copied(self, fake: Any, source: torch.Tensor) -> None:
        """`fake` has the values of a tensor in host memory: all are kept, or the ends of many."""
        if source.numel() <= LIMIT:
            self.keep(fake, source.detach().to(fake.dtype, copy=True))
        elif (ends := ranges.of(source)) is not None:
            ranges.keep(fake, ends)

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

    def constant(self, func: Any, args: Any, kwargs: Any, out: Any) -> None:
        """Keep what an operation gives whatever the values of its arguments are (zeros, full, arange)."""
        if func not in _CONSTANT or not isinstance(out, FakeTensor) or out.numel() > LIMIT:
            return
        if any(isinstance(value, FakeTensor) for value in (*args[1:], *kwargs.values())):
            return
        words = {name: value for name, value in kwargs.items() if name not in ("device", "pin_memory")}
        first = [_blank(value) if isinstance(value, FakeTensor) else value for value in args[:1]]
        value = func(*first, *args[1:], **words)
        if value.dtype == out.dtype:
            self.keep(out, value)

    def note(self, func: Any, args: Any, kwargs: Any, out: Any) -> None:
        """Of a number that may have to be made up, remember that it is to say that all is well.

        What an operation overwrites is no longer known.
        """
        if func in _ALL:
            out.memlint_likely = True
        if func in _NORMS:
            _forget(args)
        elif changes(func):
            _forget(written(func, args, kwargs))
            if func in _FILLS and isinstance(args[0], FakeTensor):
                self.filled(args[0], args[1] if len(args) > 1 else 0)

    # --- what is made up ---------------------------------------------------------------------------

    def scalar(self, fake: torch.Tensor) -> Any:
        """What .item() answers."""
        value = self.known(fake)
        if value is not None:
            return value.item()
        if _found_inf():
            self.count("gradients taken as finite by GradScaler")
            return 0.0
        guess = getattr(fake, "memlint_likely", _guess(fake.dtype))
        self.count(f".item() of a {_word(fake.dtype)} taken as {guess}")
        return guess

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
        made_up = self._sites.here(sys._getframe(1)), what
        self._made_up[made_up] += 1
        if made_up[0] != NO_SITE and not what.startswith(_SAFE):
            self._latest.pop(made_up, None)
            self._latest[made_up] = None

    def latest(self, most: int = 1) -> str:
        """The values that were made up last on which the script may act, with their lines; "" without any."""
        found = []
        for site, what in list(self._latest)[-most:]:
            path, line = self._log.sites[site]
            found.append(f"{what} ({os.path.basename(path)}:{line})")
        return ", ".join(found)

    def invented(self, sites: Sequence[tuple[str, int]], name: Callable[[str], str]) -> tuple[Invented, ...]:
        """Everything that was made up, by line; the most often first."""
        rows = []
        for (site, what), times in self._made_up.items():
            path, line = sites[site] if site != NO_SITE else ("", 0)
            rows.append(Invented(name(path), line, what, times))
        return tuple(sorted(rows, key=lambda row: (-row.times, row.file, row.line, row.what)))


def _forget(values: Any) -> None:
    for fake in tree_iter(values):
        if isinstance(fake, FakeTensor):
            vars(fake).pop("memlint_value", None)
            vars(fake).pop("memlint_range", None)


def _blank(fake: torch.Tensor) -> torch.Tensor:
    return torch.empty(fake.shape, dtype=fake.dtype)


def _found_inf() -> bool:
    frame, depth = sys._getframe(1), 0
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
