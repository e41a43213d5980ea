"""`memlint.records.dataclass` beside the standard one."""

import dataclasses
from dataclasses import field, replace
from typing import Any

import pytest

from memlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """Two numbers, and what is worked out of them."""

    x: int
    y: int = 2
    seen: list[int] = field(default_factory=list, compare=False, hash=False)
    known: str = field(default="", init=False)

    def total(self) -> int:
        """Their sum."""
        return self.x + self.y


@dataclass(eq=False, slots=True, kw_only=True)
class Named(Point):
    """One with a name."""

    name: str


@dataclass(eq=False)
class Open:
    """One without slots."""

    x: int
    other: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.sum = self.x + 1


@dataclass(slots=True, order=True)
class Later:
    """One of which no object is made before a test asks."""

    x: int = 1


def test_objects_are_those_of_the_standard_decorator() -> None:
    one, other = Point(1), Point(1, 2, [3])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Point(2)
    assert repr(one) == "Point(x=1, y=2, seen=[], known='')"
    assert one.total() == 3
    assert one.seen is not Point(1).seen
    assert replace(one, x=5) == Point(5)
    assert [f.name for f in dataclasses.fields(one)] == [*Point.__slots__]
    assert not hasattr(one, "__dict__")
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_a_derived_class_has_the_fields_of_its_base() -> None:
    made = Named(x=1, name="a")
    assert (made.x, made.y, made.name, made.total()) == (1, 2, "a", 3)
    assert Named.__slots__ == ("name",)


def test_a_class_without_slots_keeps_its_defaults() -> None:
    made = Open(2)
    assert made.other is None
    assert made.__dict__ == {"x": 2, "sum": 3}
    assert {made: 1}[made] == 1
    assert made != Open(2)


def test_nothing_is_compiled_before_the_first_object() -> None:
    assert not dataclasses.is_dataclass(Later)
    assert Later(1) < Later(2)
    assert dataclasses.is_dataclass(Later)
    with pytest.raises(TypeError):
        hash(Later())


def test_a_match_statement_takes_an_object_apart() -> None:
    made: Any = Point(1, 3)
    match made:
        case Point(x, y):
            assert (x, y) == (1, 3)
        case _:
            pytest.fail("not taken apart")
