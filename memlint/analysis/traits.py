"""What else is known of a tensor than whether it carries a graph."""

from __future__ import annotations

from enum import IntFlag


class Trait(IntFlag):
    """What else is known of a tensor; a join unites, so each says "on some path".

    GPU and CPU tell where it was moved (neither: nobody said), SCALAR that it has one element, BATCH that
    it is what a loader gave, MEMBER a part of that, PIECES a tuple of views of one storage, GATHERED the
    same of every process, FEW a number or so for each sample.
    """

    # The operators of enum.Flag look a value up in six steps; these are asked at every join.
    def __or__(self, other: int) -> Trait:
        return _TRAITS[int.__or__(self, other)]

    def __and__(self, other: int) -> Trait:
        return _TRAITS[int.__and__(self, other)]

    NONE = 0
    GPU = 1
    CPU = 2
    SCALAR = 4
    BATCH = 8
    MEMBER = 16
    PIECES = 32
    GATHERED = 64
    FEW = 128


class _Traits(dict[int, Trait]):
    """Traits by their number."""

    def __missing__(self, value: int) -> Trait:
        self[value] = found = Trait(value)
        return found


_TRAITS = _Traits()

_SHARED = Trait.GPU | Trait.CPU | Trait.SCALAR | Trait.GATHERED | Trait.FEW
_OF_BATCHES = Trait.BATCH | Trait.MEMBER


def member_traits(traits: Trait) -> Trait:
    """What a member inherits from its structure."""
    return traits & _SHARED | (Trait.MEMBER if traits & _OF_BATCHES else Trait.NONE)
