"""Networks made of networks: the forward passes of a file's own modules in a Sequential or ModuleList."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlint.analysis.interpret.contents import stored
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.values import Items, Obj, Ref, Value, options_of

_CHAINS = (".Sequential", ".ModuleList", ".ModuleDict")
_DEEPEST = 3


def own_parts(machine: Machine, chain: Obj) -> Iterator[tuple[bool, Ref]]:
    """The modules with a forward pass in the file that a chain was made of, and whether each is its first.

    One is given for each class: what the forward pass of another one does is the same.
    """
    if not chain.path.endswith(_CHAINS):
        return
    classes = set()
    parts = _modules(machine, (value for name, value in chain.args.items() if name.isdecimal()))
    for position, part in enumerate(parts):
        info = part.obj.cls
        if info is None or info.frame.cross_module or info in classes:
            continue
        if info.find("forward") is not None:
            classes.add(info)
            yield position == 0, part


def _modules(machine: Machine, values: Iterable[Value], depth: int = 0) -> Iterator[Ref]:
    for value in values:
        if isinstance(value, Items):
            yield from _modules(machine, value.items, depth)
            continue
        for option in options_of(value):
            if isinstance(option, Ref) and option.obj.kind == "module":
                yield option
            elif isinstance(option, Ref) and depth < _DEEPEST:
                yield from _modules(machine, stored(machine, option.obj), depth + 1)
