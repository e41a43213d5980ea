"""Shapes as data: what indexing, broadcasting, reshaping and reducing make of them.

A shape is a tuple of sizes: a number, or None for a size that is not known. `...` in front stands for any
number of dimensions. A shape of which nothing is known is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType

Size = int | None | EllipsisType
Shape = tuple[Size, ...]


def rank(shape: Shape | None) -> int | None:
    """How many dimensions there are, None where that is not known."""
    return None if shape is None or ... in shape else len(shape)


def merged(shapes: Sequence[Shape | None]) -> Shape | None:
    """What several shapes, one of which holds, have in common; None without any, or with another rank."""
    first = shapes[0] if shapes else None
    known = [s for s in shapes if s is not None]
    if first is None or len(known) < len(shapes):
        return None
    if any(len(s) != len(first) or (... in s) != (... in first) for s in known):
        return None
    columns = zip(*known, strict=True)
    return tuple(sizes[0] if all(s == sizes[0] for s in sizes) else None for sizes in columns)


def broadcast(a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of an elementwise operation on two tensors."""
    if a == ():
        return b
    if b == ():
        return a
    if a is None or b is None or ... in a or ... in b:
        return None
    width = max(len(a), len(b))
    left, right = ((*(1,) * (width - len(s)), *s) for s in (a, b))
    return tuple(y if x == 1 else x if y == 1 else x or y for x, y in zip(left, right, strict=True))


def product(a: Shape | None, b: Shape | None) -> Shape | None:
    """The shape of a product of matrices, or of a matrix and a vector."""
    if a is None or b is None or not a or not b or ... in b:
        return None
    if len(b) == 1:
        return a[:-1]
    if len(a) == len(b) and len(b) > 2 and ... not in a:
        batch = broadcast(a[:-2], b[:-2])
        return (*batch, a[-2], b[-1]) if batch is not None else None
    return (*a[:-1], b[-1]) if len(b) == 2 and (len(a) > 1 or ... in a) else None


def unsqueezed(shape: Shape | None, at: object) -> Shape | None:
    """With a dimension of size one put in."""
    known = rank(shape)
    if shape is None or not isinstance(at, int):
        return None
    if at < 0 and (known is not None or at == -1):
        at += len(shape) + 1
    elif known is None:
        return None
    return (*shape[:at], 1, *shape[at:]) if 0 <= at <= len(shape) else None


def squeezed(shape: Shape | None, at: object) -> Shape | None:
    """Without a dimension that is known to have size one."""
    known = rank(shape)
    if shape is None or not isinstance(at, int) or (known is None and at != -1):
        return None
    index = at + len(shape) if at < 0 else at
    if not 0 <= index < len(shape) or shape[index] is None:
        return None
    return (*shape[:index], *shape[index + 1 :]) if shape[index] == 1 else shape


def reduced(shape: Shape | None, at: object, keep: bool) -> Shape | None:
    """With one dimension summed up; () for all of them, where `at` is None."""
    if at is None:
        return ()
    known = rank(shape)
    if shape is None or not isinstance(at, int) or (known is None and at != -1) or not shape:
        return None
    index = at + len(shape) if at < 0 else at
    if not 0 <= index < len(shape):
        return None
    return (*shape[:index], *((1,) if keep else ()), *shape[index + 1 :])


def turned(shape: Shape | None, order: Sequence[int]) -> Shape | None:
    """A shape with two dimensions exchanged, or with all of them in another order."""
    ranks = range(rank(shape) or 0)
    if shape is None or not ranks or not all(-len(ranks) <= n < len(ranks) for n in order):
        return None
    places = list(ranks)
    if len(order) == 2:
        places[order[0]], places[order[1]] = places[order[1]], places[order[0]]
    elif sorted(n % len(ranks) for n in order) == places:
        places = [n % len(ranks) for n in order]
    else:
        return None
    return tuple(shape[place] for place in places)
