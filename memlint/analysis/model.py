"""ScriptModel: the questions that detectors may ask about a file."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

import libcst as cst

from memlint.analysis.caching import Answers
from memlint.analysis.imported import Project
from memlint.analysis.interpret.cross_module import CrossModule
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.script import run
from memlint.analysis.knowledge.data_hints import LOADER_VARIABLE
from memlint.analysis.knowledge.hints import LOSS_VARIABLE
from memlint.analysis.knowledge.unbound import (
    IDIOMS,
    MODULES,
    OTHER_FRAMEWORKS,
    PORTED,
    WITHOUT_TORCH,
    meaning,
)
from memlint.analysis.trace import Trace
from memlint.analysis.values import Frame
from memlint.project.dependencies import Dependencies
from memlint.project.gate import TENSORFLOW, is_notebook
from memlint.records import dataclass
from memlint.syntax.bare import Bare
from memlint.syntax.names import Names
from memlint.syntax.parse import tree_of
from memlint.syntax.spans import code_of, on_one_line
from memlint.syntax.tree import N, dotted, is_main_guard

_FRAMEWORKS = (
    "torch", "torchvision", "torchaudio", "torchtext", "lightning", "pytorch_lightning", "accelerate",
    "transformers", "apex", "deepspeed", "ignite", "fastai", "timm", "monai", "kornia", "torch_geometric",
    "dgl", "diffusers", "sentence_transformers", "lightning_fabric", "mmcv", "mmengine", "catalyst",
    "skorch", "fairseq", "torchmetrics",
)  # fmt: skip

_WORDS = frozenset({cst.Name, cst.Integer, cst.Float, cst.SimpleString})
_EMPTY = cst.Module(())

# Expressions of which the outermost brackets are a part, not something around them.
_OWN_BRACKETS = (cst.Tuple, cst.GeneratorExp)

# libcst generates code recursively: a sum of a thousand terms is a thousand frames deep.
_RECURSION = 12_000


@dataclass(eq=False)
class ScriptModel:
    """One parsed file, with names resolved on construction and the abstract run made on first use."""

    path: str
    text: str
    module: cst.Module
    target_torch: tuple[int, ...] | None = None
    project: Project | None = None
    test_functions: bool = False
    bare: Bare | None = None
    names: Names = field(init=False)
    cross_module: CrossModule | None = field(default=None, init=False, repr=False)
    answers: Answers = field(default_factory=dict, init=False, repr=False)
    codes: Codes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.names = Names(self.module, meaning, MODULES, self.bare)
        if self.project is not None:
            self.cross_module = CrossModule(self.project, Path(self.path).absolute())
        self.codes = Codes(self.names, self.cross_module)

    @property
    def dependencies(self) -> Dependencies:
        """What the answers that this model has given so far depend on besides its file."""
        return self.cross_module.dependencies if self.cross_module is not None else Dependencies()

    @classmethod
    def parse(
        cls,
        text: str,
        path: str = "train.py",
        target_torch: tuple[int, ...] | None = None,
        project: Project | None = None,
        test_functions: bool = False,
    ) -> ScriptModel:
        """Parse and resolve a file.

        Args:
            text: the source, newlines as in the file.
            path: only for messages.
            target_torch: the torch version that the user declared, for rules and fixes that depend on it.
            project: where imports may lead to other modules to be taken into account; None for nowhere.
            test_functions: whether functions of unit tests are looked at as others are.

        Raises:
            libcst.ParserSyntaxError: the text is not Python.
        """
        if sys.getrecursionlimit() < _RECURSION:
            sys.setrecursionlimit(_RECURSION)
        module, bare = tree_of(text)
        return cls(path, text, module, target_torch, project, test_functions, bare)

    # --- the tree ---------------------------------------------------------------------------------

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node directly above, None for the module."""
        found = self.names.parents.get(node)
        return found if found is not None else self.names_of(node).parents.get(node)

    def names_of(self, node: cst.CSTNode) -> Names:
        """The names of the module that a node belongs to, this one or one that the run came to."""
        return self.codes.names_of(node)

    def path_of(self, node: cst.CSTNode) -> str:
        """The import path of a name or attribute where it stands, in this module or another; "" if none."""
        return self.names_of(node).one(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes above, innermost first."""
        parents = self.names_of(node).parents
        current = parents.get(node)
        while current is not None:
            yield current
            current = parents.get(current)

    def walk(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """A node of the module and everything below it, parents before children."""
        return self.names_of(node).walk(node)

    def all_names(self) -> list[Names]:
        """The names of this module, and of the definitions of other files that the run came to."""
        units = self.cross_module.units.values() if self.cross_module is not None else ()
        return [self.names, *(unit.names for unit in units)]

    def every(self, kind: type[N], below: cst.CSTNode) -> list[N]:
        """The nodes of exactly one class in a part of the module, in source order."""
        return self.names_of(below).every(kind, below)

    def owns(self, node: cst.CSTNode) -> bool:
        """Whether a node belongs to this file and not to another one that the run came to."""
        return self.names.holds(node)

    def root_of(self, node: cst.CSTNode) -> cst.CSTNode:
        """The module that a node is part of."""
        for above in self.ancestors(node):
            node = above
        return node

    def home_call(self, frame: Frame) -> cst.CSTNode | None:
        """The call in this file by which the run came to a function of another file.

        None when the run began with that function: a method that a class of this file inherits.
        """
        while frame.cross_module and frame.caller is not None:
            if not frame.caller.cross_module:
                return frame.call if frame.call is not None and self.owns(frame.call) else None
            frame = frame.caller
        return None

    def statement_of(self, node: cst.CSTNode) -> cst.BaseStatement | cst.BaseSmallStatement | None:
        """The statement line or compound statement that a node belongs to."""
        current: cst.CSTNode | None = node
        while current is not None and not isinstance(current, cst.BaseStatement):
            current = self.parent(current)
        return current

    def is_target(self, node: cst.CSTNode) -> bool:
        """Whether a name, attribute or entry stands on the left of an assignment, alone or among others."""
        below, above = node, self.parent(node)
        while isinstance(above, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
            below, above = above, self.parent(above)
        annotated = isinstance(above, cst.AnnAssign) and above.target is below
        return annotated or isinstance(above, cst.AssignTarget)

    def own_statement_of(self, node: cst.CSTNode) -> cst.BaseStatement | cst.BaseSmallStatement | None:
        """The statement of a node that code can be put beside: of a line shared with `;`, or with the header
        of its block, its part alone."""
        line = self.statement_of(node)
        around = [node, *self.ancestors(node)]
        small = next((n for n in around if isinstance(n, cst.BaseSmallStatement)), None)
        shares = isinstance(self.parent(small), cst.SimpleStatementSuite) if small is not None else False
        several = isinstance(line, cst.SimpleStatementLine) and len(line.body) > 1
        return small if shares or several else line

    def function_of(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function whose body holds a node, None at module level."""
        for above in self.ancestors(node):
            if isinstance(above, cst.FunctionDef):
                return above
        return None

    def class_of(self, node: cst.CSTNode) -> cst.ClassDef | None:
        """The class whose body holds a node."""
        for above in self.ancestors(node):
            if isinstance(above, cst.ClassDef):
                return above
        return None

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node, as written."""
        return self.codes.code(node)

    def short(self, node: cst.CSTNode, limit: int = 40) -> str:
        """The source of a node on one line, cut in the middle when it is long: for messages."""
        around = isinstance(node, cst.BaseExpression) and type(node) not in _OWN_BRACKETS and node.lpar
        text = on_one_line(self.code(node), in_brackets=bool(around))
        if len(text) <= limit:
            return text
        begin, end = text[: limit - 12], text[-9:]
        return f"{begin.rstrip(' .,')}...{end.lstrip(' .,')}"

    # --- names --------------------------------------------------------------------------------------

    def imports(self, *roots: str) -> bool:
        """Whether the file imports one of these packages."""
        return not self.names.imported_roots().isdisjoint(roots)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name and attribute that the file writes."""
        return frozenset(node.value for node in self.names.every(cst.Name))

    @cached_property
    def positions(self) -> Mapping[cst.CSTNode, int]:
        """The rank of every node in source order; the nodes of other modules come after this file's."""
        own = self.names.preorder.position
        return _Ranks(self.cross_module, own) if self.cross_module is not None else own

    @property
    def notebook(self) -> bool:
        """Whether the file is a notebook: its cells may run again, in another order, with magics between."""
        return is_notebook(self.path)

    @property
    def has_main_guard(self) -> bool:
        """Whether the file guards its main part with `if __name__ == "__main__":`."""
        return any(is_main_guard(statement) for statement in self.module.body)

    def names_in(self, node: cst.CSTNode) -> set[str]:
        """Every name that stands in a part of the module, those of attributes and keywords included."""
        return {name.value for name in self.walk(node) if type(name) is cst.Name}

    def exports(self, name: str) -> bool:
        """Whether the module hands a name out: it lists it in `__all__`."""
        return "__all__" in self.identifiers and (f'"{name}"' in self.text or f"'{name}'" in self.text)

    # --- the run --------------------------------------------------------------------------------------

    @cached_property
    def machine(self) -> Machine:
        """The finished abstract run."""
        return run(self.module, self.names, self.codes.code, self.cross_module)

    @property
    def was_given_up(self) -> bool:
        """Whether the abstract run was begun and given up, so that there are no events."""
        return "machine" in self.__dict__ and self.machine.gave_up

    @property
    def left_out(self) -> list[cst.FunctionDef]:
        """The functions that the abstract run did not come to, in source order; none before it is made."""
        functions = self.machine.left_out if "machine" in self.__dict__ else []
        return sorted(functions, key=self.positions.__getitem__)

    @cached_property
    def concerns_torch(self) -> bool:
        """Whether the file imports torch or a framework on top of it; other code has other rules."""
        if self.imports(*_FRAMEWORKS) and not self._takes_no_network_from_transformers:
            return True
        # What a project trains with torch beside it says nothing of a file for TensorFlow.
        if self.imports(*TENSORFLOW, *OTHER_FRAMEWORKS) or self._is_port:
            return False
        return (
            not self.words_around.isdisjoint(_FRAMEWORKS)
            or any(self._importers(beside=_FRAMEWORKS))
            or self._speaks_torch
        )

    @property
    def _is_port(self) -> bool:
        """Whether a file takes what it needs from the project's part for another framework: `agents.jax`."""
        packages = {part for path in self.names.imported_paths() for part in path.split(".")[:-1]}
        return not packages.isdisjoint(PORTED) and packages.isdisjoint(_FRAMEWORKS)

    @property
    def _takes_no_network_from_transformers(self) -> bool:
        """Whether a file for TensorFlow takes tokenizers and the like from transformers, and no torch."""
        others = (name for name in _FRAMEWORKS if name != "transformers")
        if not self.imports(*TENSORFLOW) or self.imports(*others):
            return False
        taken = (p for p in self.names.imported_paths() if p.partition(".")[0] == "transformers")
        return all(WITHOUT_TORCH.match(path.rpartition(".")[2]) for path in taken)

    @cached_property
    def _speaks_torch(self) -> bool:
        """Whether a file calls methods together that only torch has, and imports nothing that is like it."""
        methods = {c.func.attr.value for c in self.names.calls if isinstance(c.func, cst.Attribute)}
        if self.imports(*OTHER_FRAMEWORKS) or self._has_tensors_of_its_own:
            return False
        return any(idiom <= methods for idiom in IDIOMS) or self._cycles_loaders or self._commands_networks

    @property
    def _has_tensors_of_its_own(self) -> bool:
        """Whether what the file calls `Tensor` comes from code that names no framework: from a project or
        package with networks and derivatives of its own."""
        taken = {path.rpartition(".")[2] for path in self.names.imported_paths()}
        made = {node.name.value for node in self.names.every(cst.ClassDef)}
        return "Tensor" in taken | made

    @property
    def _commands_networks(self) -> bool:
        """Whether a statement `model.eval()` or `loss.backward()` stands in a file that names nothing alike.

        What TensorFlow 1 or pandas evaluate is a value, and no function that the file calls, too. Who writes
        an own framework defines `backward`, or imports it, and MXNet records.
        """
        if not self.identifiers.isdisjoint((*OTHER_FRAMEWORKS, "record")):
            return False
        called = {dotted(call.func) for call in self.names.calls}
        functions = self.names.every(cst.FunctionDef)
        by_hand = bool(self.names.imported_paths()) or any(f.name.value == "backward" for f in functions)
        for call in self.names.calls:
            owner, _, method = dotted(call.func).rpartition(".")
            if not call.args and isinstance(self.parent(call), cst.Expr):
                if method == "eval" and owner in called:
                    return True
                if method == "backward" and not by_hand and LOSS_VARIABLE.search(owner):
                    return True
        return False

    @property
    def _cycles_loaders(self) -> bool:
        """Whether a file goes round and round through loaders whose length it asks for."""
        if not self.identifiers.issuperset(("cycle", "len", "next")):
            return False
        return any(LOADER_VARIABLE.search(name.removesuffix("s")) for name in self.identifiers)

    @cached_property
    def is_imported(self) -> bool:
        """Whether a file of the project uses a definition of this one."""
        return any(self._importers())

    @cached_property
    def is_trained_elsewhere(self) -> bool:
        """Whether a file of the project that uses a definition of this one has a backward pass."""
        return any(self._importers(["backward"]))

    def _importers(self, *words: Collection[str], beside: Collection[str] = ()) -> Iterator[Path]:
        """The files of the project that use a definition of this one, and name or import something else."""
        if self.cross_module is None:
            return iter(())
        defined = [n for n in self.names.module_scope.others if not n.startswith("__")]
        here, log = self.cross_module, self.cross_module.dependencies
        return here.project.modules.importers(here.path, (defined, *words), log, beside)

    @cached_property
    def words_around(self) -> frozenset[str]:
        """The vocabulary of the modules of the project that the file imports."""
        if self.cross_module is None:
            return frozenset()
        others = self.cross_module
        return others.project.modules.around(others.path, others.dependencies)

    def imports_word(self, words: frozenset[str]) -> bool:
        """Whether the file, or a module of the project that runs with its import, has one of some words."""
        if self.cross_module is None:
            return False
        here = self.cross_module
        return here.project.modules.have_behind(here.path, words, here.dependencies)

    @property
    def trace(self) -> Trace:
        """The events of the abstract run; none in a file that has nothing to do with torch."""
        return self.machine.trace if self.concerns_torch else Trace()

    @cached_property
    def forward_ids(self) -> frozenset[int]:
        """The identities of all results of forward passes that built an autograd graph."""
        return frozenset().union(*(f.ids for f in self.trace.passes() if f.recorded))

    def owner_class(self, frame: Frame) -> cst.ClassDef | None:
        """The class whose method a frame runs."""
        return self.class_of(frame.node) if isinstance(frame.node, cst.FunctionDef) else None


@dataclass(eq=False, frozen=True, slots=True)
class Codes:
    """The source of nodes, generated once for each that is asked for."""

    names: Names
    cross_module: CrossModule | None = None
    _known: dict[cst.CSTNode, str] = field(default_factory=dict)

    def names_of(self, node: cst.CSTNode) -> Names:
        """The names of the module that a node belongs to, that of the file or one that the run came to."""
        if self.cross_module is not None and self.cross_module.units and not self.names.holds(node):
            for unit in self.cross_module.units.values():
                if unit.names.holds(node):
                    return unit.names
        return self.names

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node, as written."""
        found = self._known.get(node)
        if found is None:
            names = self.names_of(node)
            written = names.bare.code(node, names.parents) if names.bare is not None else ""
            found = written or self._plain(node) or code_of(node, self._module_for(node))
            self._known[node] = found
        return found

    def _module_for(self, node: cst.CSTNode) -> cst.Module:
        """What says how lines are ended and indented in the source of a node.

        Expressions have no blocks, and the lines of a bare tree end as those of any module do by default: it
        need not be completed for what libcst has parsed anyway, such as an expression in a string.
        """
        any_module = self.names.bare is not None and isinstance(node, cst.BaseExpression)
        return _EMPTY if any_module else self.names.module

    def _plain(self, node: cst.CSTNode) -> str:
        """A literal or `a.b` without blanks or parentheses, "" for anything else: most lookups are that."""
        kind = type(node)
        if kind in _WORDS:
            return "" if node.lpar else node.value  # type: ignore[attr-defined]
        if kind is not cst.Attribute or node.lpar or node.attr.lpar:  # type: ignore[attr-defined]
            return ""
        dot: cst.Dot = node.dot  # type: ignore[attr-defined]
        if not (dot.whitespace_before.empty and dot.whitespace_after.empty):
            return ""
        return f"{self.code(node.value)}.{node.attr.value}"  # type: ignore[attr-defined]


class _Ranks(dict[cst.CSTNode, int]):
    """The ranks of this file's nodes, and on demand those of the modules that the run came to."""

    def __init__(self, cross_module: CrossModule, own: Mapping[cst.CSTNode, int]) -> None:
        super().__init__(own)
        self._cross_module = cross_module

    def __missing__(self, node: cst.CSTNode) -> int:
        offset = len(self)
        for unit in self._cross_module.units.values():
            ranks = unit.names.preorder.position
            if node in ranks:
                return offset + ranks[node]
            offset += len(ranks)
        raise KeyError(node)

    def get(self, node: cst.CSTNode, default: Any = None) -> Any:
        """As for any dictionary; `dict.get` would pass `__missing__` by."""
        try:
            return self[node]
        except KeyError:
            return default
