"""Values under simulation: the few that are known, and the rest, which are made up, counted and listed."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from memlint.runtime.child.log import NO_SITE, Log
from memlint.runtime.child.private import changes, written
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.simulate import ranges
from memlint.runtime.simulate.memory import thin
from memlint.runtime.simulate.mirrors import LIMIT, MIRRORS
from memlint.runtime.simulate.private import FakeTensor, operator, operators, tree_iter, tree_map
from memlint.runtime.simulate.sparse import parts as sparse
from memlint.session import Invented

_CONSTANT = operators(
    "zeros.default ones.default full.default zeros_like.default ones_like.default full_like.default "
    "new_zeros.default new_ones.default new_full.default arange.default arange.start arange.start_step "
    "eye.default eye.m linspace.default scalar_tensor.default".split()
)
"""Operations whose results hang on no value of a tensor. """

_FILLS = operators("zero_.default fill_.Scalar fill_.Tensor copy_.default".split())
"""Operations in place after which a tensor has nothing of the values that it had before."""

_NORMS = operators("native_batch_norm.default cudnn_batch_norm.default _batch_norm_with_update.default "
                   "_native_batch_norm_legit.default batch_norm_update_stats.default".split())  # fmt: skip
"""Operations that write into arguments, and do not say so to those who count changes."""

_ONES, _ZEROS = operator("ones.default"), operator("zeros.default")

_SAFE = ("gradients taken as finite", "assert passed over")
"""What no script acts upon."""

_ALL = operators("all.default all.dim all.dims".split())

_EQUAL = operators("eq.Tensor eq.Scalar eq_.Tensor eq_.Scalar".split())
"""What compares a prediction with a label, or a token with the one that ends a sentence."""

_COUNTS = operators("sum.default sum.dim_IntList count_nonzero.default count_nonzero.dim_IntList".split())

_HAND_ON = operators(
    "view.default _unsafe_view.default squeeze.default squeeze.dim unsqueeze.default select.int slice.Tensor "
    "detach.default clone.default alias.default _to_copy.default min.default max.default".split()
)
"""Operations that give the numbers of their first argument, or some of them."""

_OR = operators("bitwise_or.Tensor bitwise_or_.Tensor logical_or.default logical_or_.default".split())
_AND = operators("bitwise_and.Tensor bitwise_and_.Tensor logical_and.default logical_and_.default".split())

_SCALER = ("_maybe_opt_step", "grad_scaler.py")


class Values:
    """Remembers true values of small tensors (see `mirrors`), and counts what had to be made up.

    `selected` is the percentage of elements that a mask, nonzero() and unique() find where it is not known.
    """

    def __init__(self, log: Log, sites: Sites, selected: int = 100) -> None:
        self.selected = selected
        self.assumed = 0
        self._log = log
        self._sites = sites
        self._made_up: Counter[tuple[int, str]] = Counter()
        self._latest: dict[tuple[int, str], None] = {}
        self.total = 0
        """How many values were made up on which a script may act."""

    # --- what is known -----------------------------------------------------------------------------

    def keep(self, fake: Any, value: torch.Tensor) -> None:
        """`fake` has this value until something changes it."""
        if isinstance(fake, FakeTensor):
            MIRRORS.write(fake, value)

    def known(self, fake: torch.Tensor) -> torch.Tensor | None:
        """The true value of a fake tensor, if there is one: over the mirror, and not to be changed."""
        return MIRRORS.of(fake)

    def filled(self, fake: Any, source: Any) -> None:
        """Every element of `fake` has been overwritten, by a number or a tensor."""
        if isinstance(source, FakeTensor):
            source = self.known(source)
        if source is None or not fake.numel():
            return
        value = torch.as_tensor(source).detach().to(fake.dtype)
        if fake.numel() <= LIMIT:
            MIRRORS.write(fake, value.expand(fake.shape))
        elif (ends := ranges.of(value)) is not None:
            ranges.keep(fake, ends)

    def copied(self, fake: Any, source: torch.Tensor) -> None:
        """`fake` has the values of a tensor in host memory: all are kept, or the ends of many."""
        if source.numel() <= LIMIT:
            self.keep(fake, source.detach())
        elif (ends := ranges.of(source)) is not None:
            ranges.keep(fake, ends)

    def known_arguments(self, func: Any, args: Any, kwargs: Any) -> tuple[Any, Any] | None:
        """The arguments with true values in place of fakes; None where one is unknown or drawn by chance.

        What an operation writes into its arguments, it writes into the mirrors.
        """
        first = next((value for value in args if isinstance(value, FakeTensor)), None)
        if first is not None and self.known(first) is None:
            return None
        fakes = [value for value in tree_iter((args, kwargs)) if isinstance(value, FakeTensor)]
        if not fakes or func in _NORMS or torch.Tag.nondeterministic_seeded in func.tags:
            return None
        if any(fake.numel() > LIMIT or self.known(fake) is None for fake in fakes):
            return None
        return tree_map(self.real, args), tree_map(self.real, kwargs)

    def derive(self, func: Any, known: tuple[Any, Any], args: Any, kwargs: Any, out: Any) -> None:
        """Compute what an operation on known values gives, beside its fake result."""
        targets = _fakes(written(func, args, kwargs)) if changes(func) else []
        # Sorting and others give several tensors; of a view, the mirror of its storage has the values.
        outs = list(out) if isinstance(out, (tuple, list)) else [out]
        if not targets and not all(isinstance(each, FakeTensor) and each.numel() <= LIMIT for each in outs):
            return
        if not targets and all(self.known(each) is not None for each in outs):
            return
        for fake in targets:
            MIRRORS.changed(fake)
        try:
            value = func(*known[0], **known[1])
        except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError):
            forget(targets)
            return  # The value stays unknown: reading it will be counted.
        if targets:
            return
        values = list(value) if isinstance(value, (tuple, list)) else [value]
        for fake, found in zip(outs, values, strict=False):
            if isinstance(found, torch.Tensor) and found.dtype == fake.dtype and self.known(fake) is None:
                self.keep(fake, found)

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

    def decided(self, func: Any, args: Any, out: Any) -> None:
        """Keep what one operand decides alone: `or` with one that holds everywhere, `and` with zeros.

        So ends what goes on until all sentences are finished, or as long as allowed.
        """
        holds = func in _OR
        if not (holds or func in _AND) or not isinstance(out, FakeTensor) or out.numel() > LIMIT:
            return
        if holds and out.dtype is not torch.bool:
            return
        values = (self.known(each) for each in args if isinstance(each, FakeTensor))
        if any(value is not None and bool((value.bool() == holds).all()) for value in values):
            self.keep(out, torch.full(out.shape, holds, dtype=out.dtype))

    def note(self, func: Any, args: Any, kwargs: Any, out: Any) -> None:
        """Of a number that may have to be made up, remember that it is to say that all is well.

        What an operation overwrites is no longer known.
        """
        if isinstance(out, FakeTensor):
            self._expect(func, args, out)
        if func in _NORMS:
            forget(args)
        elif changes(func):
            targets = _fakes(written(func, args, kwargs))
            for fake in targets:
                MIRRORS.changed(fake)
            if func in _FILLS and isinstance(args[0], FakeTensor):
                self.overwritten(args[0], args[1] if len(args) > 1 else 0)
            else:
                forget(targets)

    def _expect(self, func: Any, args: Any, out: Any) -> None:
        """What is to be made up for a number: that all holds, and that a mask has as many as it selects.

        How many predictions are right is no such number: then scripts would stop early.
        """
        if func in _ALL:
            out.memlint_likely = True
        elif func in _HAND_ON and hasattr(args[0], "memlint_likely"):
            out.memlint_likely = args[0].memlint_likely
        if out.dtype is torch.bool:
            out.memlint_equal = func in _EQUAL or any(getattr(arg, "memlint_equal", False) for arg in args)
        elif func in _COUNTS and args[0].dtype is torch.bool and not getattr(args[0], "memlint_equal", False):
            out.memlint_likely = self._share(args[0].numel() // max(out.numel(), 1))

    def overwritten(self, fake: Any, source: Any) -> None:
        """Every element of `fake` has been overwritten: its storage is known as far as `source` is."""
        if isinstance(source, FakeTensor) and self.known(source) is None:
            forget([fake])
        else:
            self.filled(fake, source)

    def some_of(self, elements: int) -> int:
        """How many of so many elements a mask is taken to select, rounded up."""
        self.assumed += 1
        return self._share(elements)

    def _share(self, elements: int) -> int:
        return -(-elements * self.selected // 100)

    @property
    def selected_in_words(self) -> str:
        """The share of elements that masks are taken to select."""
        return "all" if self.selected == 100 else f"{self.selected} %"

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
        if fake.layout is not torch.strided:
            return sparse.on_host(fake, lambda values: self.on_host(values, dtype), dtype)
        value = self.known(fake)
        if value is not None:
            return value.to(dtype, copy=True)
        self.count("values copied to the host")
        likely = getattr(fake, "memlint_likely", None)
        if likely is not None:
            return torch.full(fake.shape, likely, dtype=dtype)
        make: Any = _ONES if dtype.is_floating_point or dtype.is_complex else _ZEROS
        made: torch.Tensor | None = thin.made(make, (fake.shape,), {"dtype": dtype})
        if made is None:
            made = make(fake.shape, dtype=dtype)
        return made

    def count(self, what: str) -> None:
        """One more invented value at the line of the project that asks for it."""
        made_up = self._sites.here(sys._getframe(1)), what
        self._made_up[made_up] += 1
        self.total += not what.startswith(_SAFE)
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

    def places(self) -> Iterator[tuple[str, int]]:
        """Files and lines of the project that asked for values which were made up, and may act upon them."""
        for site, what in self._made_up:
            if site != NO_SITE and not what.startswith(_SAFE):
                yield self._log.sites[site]

    def invented(self, sites: Sequence[tuple[str, int]], name: Callable[[str], str]) -> tuple[Invented, ...]:
        """Everything that was made up, by line; the most often first."""
        rows = []
        for (site, what), times in self._made_up.items():
            path, line = sites[site] if site != NO_SITE else ("", 0)
            rows.append(Invented(name(path), line, what, times))
        return tuple(sorted(rows, key=lambda row: (-row.times, row.file, row.line, row.what)))


def _fakes(values: Any) -> list[FakeTensor]:
    return [value for value in tree_iter(values) if isinstance(value, FakeTensor)]


def forget(values: Any) -> None:
    """Nothing is known any more of the fakes among the values, and of what shares their storages."""
    for fake in _fakes(values):
        MIRRORS.changed(fake)
        MIRRORS.drop(fake)


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
