"""`memlint.records.dataclass` beside the standard one."""

import dataclasses
import inspect
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


@dataclass(frozen=True, slots=True)
class Sent:
    """One that is unpickled before it is made."""

    x: int


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


def compiled(cls: type) -> set[str]:
    """The methods that a class has, rather than something that stands for them."""
    return {name for name, value in vars(cls).items() if inspect.isfunction(value)}


def test_nothing_is_compiled_before_it_is_asked_for() -> None:
    @dataclass(slots=True, order=True)
    class Fresh:
        x: int = 1

    assert compiled(Fresh) == set()
    one = Fresh(1)
    assert compiled(Fresh) == {"__init__"}
    assert one < Fresh(2)
    assert compiled(Fresh) == {"__init__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__"}
    assert repr(one).endswith("Fresh(x=1)")
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_the_fields_of_a_class_are_known_before_its_first_object() -> None:
    assert dataclasses.is_dataclass(Later)
    assert [f.name for f in dataclasses.fields(Later)] == ["x"]


def test_objects_that_another_process_has_made_compare_and_print() -> None:
    """Nothing calls the constructor here."""
    one, other = (Sent.__new__(Sent) for _ in range(2))
    one.x = other.x = 3
    assert hash(one) == hash(other)
    assert one == other
    assert repr(one) == "Sent(x=3)"


def test_a_match_statement_takes_an_object_apart() -> None:
    made: Any = Point(1, 3)
    match made:
        case Point(x, y):
            assert (x, y) == (1, 3)
        case _:
            pytest.fail("not taken apart")
