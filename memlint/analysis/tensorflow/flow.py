"""Where values come from: through variables, attributes of `self`, parameters and functions of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from weakref import ref

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.functions import CallGraph
from memlint.analysis.dataflow.program_points import LoopNode, loops_around
from memlint.analysis.dataflow.reaching_definitions import (
    reaching_definitions,
)
from memlint.analysis.dataflow.value_sources import call_graph, expressions_behind
from memlint.analysis.knowledge.libraries import BUILTINS
from memlint.analysis.model import ScriptModel
from memlint.project.gate import TENSORFLOW
from memlint.records import dataclass
from memlint.syntax.tree import dotted

_PREFIXES = (
    ("tensorflow.compat.v2.", "tensorflow."),
    ("tensorflow._api.v2.v2.", "tensorflow."),
    ("tensorflow_core.", "tensorflow."),
    ("tensorflow.python.keras.", "keras."),
    ("tensorflow.keras.", "keras."),
    ("keras.api._v2.keras.", "keras."),
    ("keras.api.", "keras."),
    ("tf_keras.", "keras."),
    ("tensorflow.", "tf."),
)
_DEPTH = 12
_MANY = 16

Loops = tuple[LoopNode, ...]
"""Nested loops, outermost first."""


@cached
def flow_of(model: ScriptModel) -> Flow:
    """The one Flow of a file."""
    return Flow(ref(model))


def concerns(model: ScriptModel) -> bool:
    """Whether a file, or a module of the project that it imports, imports TensorFlow or Keras."""
    return model.imports(*TENSORFLOW) or not model.words_around.isdisjoint(TENSORFLOW)


def canonical(path: str) -> str:
    """One spelling for the many homes of a name: `tf.x` for TensorFlow, `keras.x` for Keras."""
    for old, new in _PREFIXES:
        if f"{path}." == old:
            return new[:-1]
        if path.startswith(old):
            path = new + path[len(old) :]
    return "tf" if path == "tensorflow" else path


@dataclass(eq=False)
class Flow:
    """Questions about one file, answered on demand and remembered. It does not keep the model alive."""

    _model: ref[ScriptModel]
    _apis: dict[cst.CSTNode, str] = field(default_factory=dict)

    @property
    def model(self) -> ScriptModel:
        """The file."""
        model = self._model()
        assert model is not None
        return model

    @property
    def graph(self) -> CallGraph:
        """Which functions the calls of the file mean."""
        return call_graph(self.model)

    def named(self, name: str) -> list[cst.Call]:
        """The calls of a function or method that is written with this last name."""
        return self.graph.named(name)

    # --- names -------------------------------------------------------------------------------------

    def api(self, node: cst.CSTNode) -> str:
        """The canonical dotted name that an expression stands for; "" where it is none, or not certain."""
        found = self._apis.get(node)
        if found is None:
            self._apis[node] = ""
            found = self._apis[node] = self._api(node)
        return found

    def _api(self, node: cst.CSTNode) -> str:
        path = dotted(node)
        if not path:
            return ""
        names = self.model.names_of(node)
        paths = {canonical(p) for p in names.qualified(node)}
        if len(paths) == 1:
            name = path.partition(".")[0]
            scope = names.scope_of(_leftmost(node)).owner(name)
            return "" if scope is not None and name in scope.others else paths.pop()
        if paths:
            return ""
        head = _leftmost(node)
        if not isinstance(head, cst.Name):
            return ""
        if names.scope_of(head).owner(head.value) is None:
            return self._starred(path)
        defs = self.definitions(head)
        if len(defs) != 1 or defs[0].kind != "value" or not dotted(defs[0].node):
            return ""
        base = self.api(defs[0].node)
        return base + path[len(dotted(head)) :] if base else ""

    def _starred(self, path: str) -> str:
        """The name that `from keras.layers import *` gives, where nothing else can have given it."""
        stars = self.model.names.module_scope.stars
        if not stars or path.partition(".")[0] in BUILTINS:
            return ""
        homes = sorted(canonical(star) for star in stars)
        return f"{homes[0]}.{path}" if all(h.startswith(("keras", "tf")) for h in homes) else ""

    def calls(self, *names: str) -> Iterator[cst.Call]:
        """The calls, in source order, of APIs with these last names."""
        for name in names:
            for call in self.graph.named(name):
                yield call
        known = set(names)
        for call in self.model.names.calls:
            written = dotted(call.func).rpartition(".")[2]
            if written and written not in known and self.api(call.func).rpartition(".")[2] in known:
                yield call

    def calls_of(self, *apis: str) -> list[cst.Call]:
        """The calls of these canonical names, in source order."""
        last = {a.rpartition(".")[2] for a in apis}
        found = [c for c in self.calls(*last) if self.api(c.func) in apis]
        return sorted(found, key=lambda c: self.model.positions[c])

    # --- definitions -------------------------------------------------------------------------------

    def definitions(self, node: cst.CSTNode) -> list[Definition]:
        """The definitions that may have given a name or attribute chain the value that it has at `node`."""
        return reaching_definitions(self.model, node)

    def sources(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The expressions that a value comes from; see `value_sources.expressions_behind`."""
        return expressions_behind(self.model, node)

    # --- loops -------------------------------------------------------------------------------------

    def loops(self, node: cst.CSTNode) -> tuple[LoopNode, ...]:
        """The loops of its own function in whose iterations a node runs, outermost first."""
        return tuple(loops_around(self.model, node))

    def runs(self, node: cst.CSTNode, depth: int = 4) -> list[Loops]:
        """The loops around a node for each way on which the file's own calls lead to it."""
        return self._runs(node, depth, frozenset())

    def _runs(self, node: cst.CSTNode, depth: int, seen: frozenset[cst.CSTNode]) -> list[Loops]:
        own = self.loops(node)
        function = self.model.function_of(node)
        if function is None or depth == 0 or function in seen:
            return [own]
        sites, known = self.graph.sites(function), seen | {function}
        outer = [around for site in sites for around in self._runs(site, depth - 1, known)]
        return [(*around, *own) for around in outer[:_MANY]] or [own]


def _leftmost(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node
