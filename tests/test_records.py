"""`memlint.records.dataclass` beside the standard one."""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import MISSING, field, replace
from typing import Any

import pytest

import memlint
from memlint import records
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


def test_a_default_gives_way_to_that_of_a_derived_class_and_may_share_its_name_with_a_field() -> None:
    @dataclass(eq=False, slots=True)
    class Base:
        kept: list[int] = field(default_factory=list)
        _kept: int = 1
        found: dict[str, int] = field(default_factory=dict, init=False)

    @dataclass(eq=False, slots=True)
    class Derived(Base):
        kept: Any = None
        last: int = field(default=3, kw_only=True)

    one, other = Base(), Base([4], 5)
    assert (one.kept, one._kept, one.found) == ([], 1, {})
    assert (other.kept, other._kept, other.found) == ([4], 5, {})
    assert one.found is not other.found
    assert (Derived().kept, Derived(2, last=4).last) == (None, 4)
    with pytest.raises(TypeError, match=r"Derived\.__init__\(\)"):
        Derived(1, 2, 3)  # type: ignore[misc]


def records_of_memlint() -> Iterator[type]:
    """All classes below `memlint` that its own decorator makes."""
    for module in pkgutil.walk_packages(memlint.__path__, "memlint."):
        if not module.name.startswith(("memlint.runtime.", "memlint.server.")):
            for cls in vars(importlib.import_module(module.name)).values():
                if isinstance(cls, type) and cls.__module__ == module.name and records._WRITTEN in vars(cls):
                    yield cls


def test_the_constructors_of_all_classes_are_those_of_the_standard_decorator() -> None:
    """What `records` does not know, such as `ClassVar`, would be seen here."""
    found = [*records_of_memlint()]
    assert len(found) > 150
    for cls in found:
        fields = dataclasses.fields(cls)  # made by the standard decorator
        given = sorted((f for f in fields if f.init), key=lambda f: bool(f.kw_only))
        mine = [*inspect.signature(cls.__init__).parameters.values()][1:]
        assert [(p.name, p.kind is p.KEYWORD_ONLY) for p in mine] == [(f.name, f.kw_only) for f in given], cls
        assert [p.default is not p.empty for p in mine] == [
            f.default is not MISSING or f.default_factory is not MISSING for f in given
        ], cls
