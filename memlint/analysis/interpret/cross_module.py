"""Names that other modules of the project define: their functions and classes run as if they stood here.

A module is not run: of its top level, only the statement that binds a name is, when something reads the name.
What importing the module would do besides (loops, calls for their effect) is not the script's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

import libcst as cst

from memlint.analysis.imported import Project, Unit
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.statements import block
from memlint.analysis.knowledge import naming
from memlint.analysis.values import Class, External, Frame, Value
from memlint.project.base_calls import called_without_grad
from memlint.project.dependencies import Dependencies
from memlint.project.locations import KNOWN
from memlint.project.modules import Place
from memlint.project.results import detached_by_methods, detached_results
from memlint.records import dataclass

MOST_TEXT = 120_000
"""How many characters of other modules are read for the sake of one script: about 3,000 lines."""

DEFINING_FUEL = 2_000
"""How many statements of other modules are run for the sake of what they define."""

MOST_FOR_ENTRIES = 7_000
"""The same for functions that nothing in the script calls: what they are given is guessed anyway."""


@dataclass(slots=True)
class CrossModule:
    """The definitions of other modules that one run has come to.

    Each has a frame that stands for the top level of its module.
    """

    project: Project
    """Where imports are looked up and definitions parsed."""

    path: Path
    """The file that is checked."""

    dependencies: Dependencies = field(default_factory=Dependencies)
    """What the answers given so far depend on in other files."""

    units: dict[cst.CSTNode, Unit] = field(default_factory=dict)
    """The definitions, by the tree of their frame."""

    frames: dict[tuple[Path, str], Frame | None] = field(default_factory=dict)
    """The frame of each definition, by file and name; None where there is none or enough has been read."""

    bodies: dict[tuple[Path, str], Sequence[cst.BaseStatement]] = field(default_factory=dict)
    """The statements of each definition, by file and name."""

    binding: set[int] = field(default_factory=set)
    """The numbers of frames whose definition is being run."""

    places: dict[tuple[Path, str], Place | str | None] = field(default_factory=dict)
    """What import paths lead to, by the importing file and the path."""

    left: int = MOST_TEXT
    """Characters of other modules that may still be read."""

    fuel: int = DEFINING_FUEL
    """Statements of other modules that may still be run for what they define."""

    def imported(self, machine: Machine, dotted: str) -> Value | None:
        """What an import path stands for where the run is now; None where it leads out of the project."""
        if dotted.partition(".")[0] in KNOWN:
            return None
        place = self._place(machine, dotted)
        if isinstance(place, str):
            return External(place)
        if place is None or place.path == self.path:
            return None
        found = self._defined(machine, place.path, place.name)
        return _member(machine, found, place.rest) if found is not None else None

    def _place(self, machine: Machine, dotted: str) -> Place | str | None:
        """Where an import path leads to from where the run is now."""
        unit = self.units.get(machine.frame.root().node)
        key = (unit.path if unit is not None else self.path, dotted)
        if key not in self.places:
            self.places[key] = self.project.modules.resolve(*key, self.dependencies)
        return self.places[key]

    def called_without_grad(self, base: str, method: str, covered: frozenset[str]) -> bool:
        """Whether a base class of another module calls a method of its subclasses only under no_grad."""
        modules, log = self.project.modules, self.dependencies
        return called_without_grad(modules, self.path, base, method, log, covered)

    def detached_results(self, machine: Machine, called: str | Frame | None, name: str) -> tuple[bool, ...]:
        """Which results of a function have left their graph, as far as its text says so: of an import path,
        of what is called `name` in the file of a frame, or of whichever method `name` of the project."""
        if called is None:
            return self._by_methods(name)
        if isinstance(called, str):
            place = self._place(machine, called)
        else:
            place = Place(self.units[called.node].path, name, "") if called.node in self.units else None
        if not isinstance(place, Place) or place.rest:
            return ()
        outline = self.project.modules.outline(place.path, self.dependencies)
        if outline is not None and place.name not in outline.definitions:
            return self._by_methods(name, (place.path,))
        return detached_results(outline.source(place.name)) if outline is not None else ()

    def _by_methods(self, name: str, paths: Sequence[Path] = ()) -> tuple[bool, ...]:
        """Which results all methods of a loss's name, in these files or in the project, have cut: it is given
        beside its parts. None where they do not give the same number."""
        if not naming.loss_call(name):
            return ()
        modules = self.project.modules
        found: set[tuple[bool, ...]] = set()
        for path in paths or modules.with_method(name, self.dependencies):
            outline = modules.outline(path, self.dependencies)
            found |= {()} if outline is None else set(detached_by_methods(outline.text, name))
        alike = len({len(results) for results in found}) == 1
        return tuple(map(all, zip(*found, strict=True))) if alike else ()

    def narrow(self) -> None:
        """Read less from now on: what is run are functions that nothing in the file calls."""
        self.left = min(self.left, MOST_FOR_ENTRIES)

    def bound(self, machine: Machine, frame: Frame, name: str) -> Value | None:
        """What a name at the top level of another module stands for; None when it does not define it, and in
        the frame of a function, whose own names come first."""
        unit = self.units.get(frame.node)
        return self._defined(machine, unit.path, name) if unit is not None else None

    def _defined(self, machine: Machine, path: Path, name: str) -> Value | None:
        """The value of a definition: its statement is run, quietly and outside of all loops."""
        frame = self._frame(machine, path, name)
        if frame is None:
            return None
        if machine.state is None:
            return None
        key = (frame.id, name)
        found = machine.read(key)
        if found is not None or frame.id in self.binding:
            return found
        outer = machine.frame, machine.names, machine.loops, machine.variants, machine.returns
        machine.frame, machine.names = frame, frame.names or machine.names
        machine.loops, machine.variants, machine.returns = (), (), [[]]
        in_cross_module, fuel = machine.in_cross_module, machine.fuel
        # Of definitions inside one another, the outermost lends its fuel to all.
        machine.in_cross_module, machine.fuel = True, fuel if self.binding else self.fuel
        self.binding.add(frame.id)
        grad, evals, before = machine.state.grad, machine.state.evals, machine.state
        machine.quiet += 1
        block(machine, self.bodies[path, name])
        machine.quiet -= 1
        self.binding.discard(frame.id)
        if not self.binding:
            self.fuel, machine.fuel = machine.fuel, fuel
        machine.in_cross_module = in_cross_module
        machine.frame, machine.names, machine.loops, machine.variants, machine.returns = outer
        machine.state = machine.state or before
        machine.state.grad, machine.state.evals = grad, evals
        return machine.read(key)

    def _frame(self, machine: Machine, path: Path, name: str) -> Frame | None:
        """The frame for the definition of a name, None when there is none or enough has been read."""
        key = (path, name)
        if key not in self.frames:
            # The bases of a class that was read tell what it is.
            enough = self.left <= (-MOST_FOR_ENTRIES if self.binding else 0)
            affordable = not enough or self.project.switches_grad(path, name, self.dependencies)
            unit = self.project.unit(path, name, self.dependencies) if affordable else None
            self.frames[key] = None
            if unit is not None:
                self.left -= unit.length
                self.units.setdefault(unit.module, unit)
                self.bodies[key] = unit.body
                number = machine.number("module", str(path), name)
                self.frames[key] = Frame(number, unit.module, None, cross_module=True, names=unit.names)
        return self.frames[key]


def _member(machine: Machine, value: Value, rest: str) -> Value | None:
    """What lies below a value of another module: an attribute of a class, as far as it is known."""
    for name in filter(None, rest.split(".")):
        if not isinstance(value, Class):
            return None
        below = machine.read((machine.number("class", id(value.info)), "." + name))
        if below is None:
            return None
        value = below
    return value
