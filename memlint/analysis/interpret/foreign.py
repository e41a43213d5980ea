"""Names that other modules of the project define: their functions and classes run as if they stood here.

A module is not run: of its top level, only the statement that binds a name is, when something reads the name.
What importing the module would do besides (loops, calls for their effect) is not the script's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import libcst as cst

from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.statements import block
from memlint.analysis.project import Project, Unit
from memlint.analysis.values import Class, External, Frame, Value

MOST_TEXT = 120_000
"""How many characters of other modules are read for the sake of one script: about 3,000 lines."""

DEFINING_FUEL = 2_000
"""How many statements of other modules are run for the sake of what they define."""

_MOST_RELAYS = 5
_MOST_STARS = 20


@dataclass(slots=True)
class Foreign:
    """The definitions of other modules that one run has been led into.

    Each has a frame that stands for the top level of its module; `units` are found by the tree of that frame.
    `met` counts the definitions that were come across, `absent` are the paths on which there is none: modules
    that import everything from one another would be searched over and over.
    """

    project: Project
    path: Path
    units: dict[cst.CSTNode, Unit] = field(default_factory=dict)
    frames: dict[tuple[Path, str], Frame | None] = field(default_factory=dict)
    binding: set[int] = field(default_factory=set)
    absent: set[tuple[Path, str, int]] = field(default_factory=set)
    met: int = 0
    left: int = MOST_TEXT
    fuel: int = DEFINING_FUEL

    def imported(self, machine: Machine, dotted: str) -> Value | None:
        """What an import path stands for where the run is now; None where it leads out of the project."""
        unit = self.units.get(machine.frame.root().node)
        return self._from(machine, unit.path if unit is not None else self.path, dotted, 0)

    def bound(self, machine: Machine, frame: Frame, name: str) -> Value | None:
        """What a name at the top level of another module stands for; None when it does not define it."""
        return self._defined(machine, self.units[frame.node].path, name)

    def _from(self, machine: Machine, importer: Path, dotted: str, relays: int) -> Value | None:
        key, met = (importer, dotted, relays), self.met
        if key in self.absent or relays > _MOST_RELAYS:
            return None
        place = self.project.modules.locate(importer, dotted)
        if place is None or not place[1] or place[0] == self.path:
            return None
        name, _, rest = place[1].partition(".")
        found = self._defined(machine, place[0], name)
        found = _member(machine, found, rest) if found else self._relayed(machine, *place, relays)
        if found is None and self.met == met:
            self.absent.add(key)
        return found

    def _relayed(self, machine: Machine, path: Path, dotted: str, relays: int) -> Value | None:
        """What a module of the project has itself imported: `from .meters import AverageMeter`."""
        outline = self.project.modules.outline(path)
        if outline is None:
            return None
        name, dot, rest = dotted.partition(".")
        paths = [f"{target}{dot}{rest}" for target in outline.imports.get(name, ())]
        # More of them is the index of a large package: one name would cost a look into all of its modules.
        stars = outline.stars if len(outline.stars) <= _MOST_STARS else ()
        starred = [f"{star}{'' if star.endswith('.') else '.'}{dotted}" for star in stars]
        for target in (*paths, *starred):
            found = self._from(machine, path, target, relays + 1)
            if found is not None:
                return found
        return External(paths[0]) if len(paths) == 1 and not paths[0].startswith(".") else None

    def _defined(self, machine: Machine, path: Path, name: str) -> Value | None:
        """The value of a definition: its statement is run, quietly and outside of all loops."""
        frame = self._frame(machine, path, name)
        if frame is None:
            return None
        self.met += 1
        if machine.state is None:
            return None
        key = (frame.id, name)
        found = machine.read(key)
        if found is not None or frame.id in self.binding:
            return found
        outer = machine.frame, machine.names, machine.loops, machine.variants, machine.returns
        machine.frame, machine.names = frame, frame.names or machine.names
        machine.loops, machine.variants, machine.returns = (), (), [[]]
        abroad, fuel = machine.abroad, machine.fuel
        # Of definitions inside one another, the outermost lends its fuel to all.
        machine.abroad, machine.fuel = True, fuel if self.binding else self.fuel
        self.binding.add(frame.id)
        grad, evals, before = machine.state.grad, machine.state.evals, machine.state
        machine.quiet += 1
        block(machine, self.units[frame.node].module.body)
        machine.quiet -= 1
        self.binding.discard(frame.id)
        if not self.binding:
            self.fuel, machine.fuel = machine.fuel, fuel
        machine.abroad = abroad
        machine.frame, machine.names, machine.loops, machine.variants, machine.returns = outer
        machine.state = machine.state or before
        machine.state.grad, machine.state.evals = grad, evals
        return machine.read(key)

    def _frame(self, machine: Machine, path: Path, name: str) -> Frame | None:
        """The frame for the definition of a name, None when there is none or enough has been read."""
        key = (path, name)
        if key not in self.frames:
            unit = self.project.unit(path, name) if self.left > 0 else None
            self.frames[key] = None
            if unit is not None:
                self.left -= len(unit.text)
                self.units[unit.module] = unit
                number = machine.number("module", str(path), name)
                self.frames[key] = Frame(number, unit.module, None, foreign=True, names=unit.names)
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
