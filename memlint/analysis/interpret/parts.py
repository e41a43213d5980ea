"""How the parts of the interpreter know one another, and what they hand around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import libcst as cst

from memlint.analysis.values import Class, Frame, Function, Obj, Value
from memlint.records import dataclass

Args = list[Value]
Keywords = dict[str, Value]
M = TypeVar("M")
M_contra = TypeVar("M_contra", contravariant=True)
"""The `Machine`, which imports this module."""


@dataclass(frozen=True, slots=True)
class Parts(Generic[M]):
    """The parts of the interpreter that need one another; each takes the machine first."""

    invoke: Callable[[M, Function, Args, Keywords, cst.CSTNode], Value]
    call: Callable[[M, Value, Args, Keywords, cst.CSTNode], Value]
    evaluate: Callable[[M, cst.BaseExpression], Value]
    symbolic_instance: Callable[[M, Class], Value]
    decorate: Callable[[M, Function, cst.FunctionDef], Value]


@dataclass(frozen=True, slots=True)
class Spelling:
    """What the code of a class says about weights, read off once for each class: its calls, the attributes to
    which it gives an object that it makes, or something by its name, and whether its words hide members or
    register parameters."""

    calls: tuple[cst.Call, ...]
    layers: frozenset[str]
    named: tuple[tuple[str, str], ...]
    hides: bool
    registers: bool


class Elsewhere(Protocol[M_contra]):
    """What other modules of the project define."""

    def imported(self, machine: M_contra, dotted: str) -> Value | None:
        """What an import path stands for where the run is now; None where it leads out of the project."""

    def bound(self, machine: M_contra, frame: Frame, name: str) -> Value | None:
        """What a name at the top level of another module stands for; None when it does not define it."""

    def called_without_grad(self, base: str, method: str, covered: frozenset[str]) -> bool:
        """Whether a base class of another module calls a method of its subclasses only under no_grad."""

    def detached_results(self, machine: M_contra, called: str | Frame | None, name: str) -> tuple[bool, ...]:
        """Which results of a function, or of all methods of a name, have left their graph."""

    def narrow(self) -> None:
        """Read less of them from now on."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A tensor that a summarised method puts into a container or a joined tensor older than the call."""

    node: cst.CSTNode
    """The statement or call that stores it."""

    target: str
    """The code of the container."""

    value_node: cst.CSTNode
    """The expression whose value is stored."""

    obj: Obj
    """The container, or the owner of the joined tensor."""

    everywhere: bool = False
    """Whether the container is in a name at the top level of the file, not in an attribute of `self`."""

    joined: str = ""
    """The attribute of `obj` that is joined with the tensor, `.queue`; "" where `obj` is a container."""

    detached: bool = False
    """Whether the tensor carries no graph, and nothing in the method moves it to the host."""
