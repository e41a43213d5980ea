"""tf.data pipelines: chains of calls, followed through assignments and functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from math import prod

import libcst as cst

from memlint.analysis.dataflow.constants import integer_of
from memlint.analysis.dataflow.cross_module import imported_definitions
from memlint.analysis.knowledge import data_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import last
from memlint.records import dataclass
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import speaks_of
from memlint.syntax.names import NameScope
from memlint.syntax.tree import dotted

METHODS = frozenset(
    "map batch padded_batch ragged_batch shuffle cache prefetch repeat take skip filter unbatch rebatch "
    "interleave flat_map window shard apply enumerate with_options concatenate group_by_window".split()
)
BATCHES = frozenset({"batch", "padded_batch", "ragged_batch"})
_REGROUPS = frozenset({"unbatch", "flat_map", "interleave", "rebatch", "apply"})
_ROOTS = re.compile(
    r"^(tf\.data\.|tensorflow_datasets\.(load|as_dataset)|tensorflow_io\.)"
    r"|^keras\.(utils|preprocessing)\.(\w+\.)?\w*dataset_from_directory$"
)
_OURS = frozenset({"prefetch", "padded_batch", "interleave", "cache", "unbatch"})
_FILES = re.compile(r"(list_files|TFRecordDataset|TextLineDataset|FixedLengthRecordDataset|from_generator)$")
_DECODES = re.compile(
    r"(decode_\w+|read_file|parse_single_example|parse_example|py_function|numpy_function|resize\w*)$"
)
_IMAGES = re.compile(r"(decode_(image|jpeg|png|bmp|gif|raw)|resize\w*|imread|load_img)$")
_SIZED = re.compile(r"(^|[._])(resize\w*|(random_)?crop|pad_to_bounding_box)$")
_RANDOM = re.compile(r"(random_\w+|Random[A-Z]\w*|dropout)$|^tf\.random\.|^numpy\.random\.")
_IMPURE = re.compile(
    r"random|dropout|sampl|py_function|numpy_function|print|write|summary|assign|insert|Variable|raw_ops",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """One way in which a dataset may have come about: where it starts, and the calls made on it, in order."""

    root: cst.CSTNode
    stages: tuple[cst.Call, ...]


@dataclass(eq=False)
class Pipelines:
    """The pipelines of one file."""

    flow: Flow
    _paths: dict[cst.CSTNode, list[Path]] = field(default_factory=dict)
    _after: dict[cst.Call, set[cst.Call]] | None = None

    def calls(self, *methods: str) -> Iterator[cst.Call]:
        """The calls of dataset methods, on what is a dataset for all that is known."""
        for method in methods:
            for call in self.flow.named(method):
                if (
                    self.stage(call)
                    and all(self.is_dataset(p) for p in self.paths(call))
                    and self.paths(call)
                ):
                    yield call

    def stage(self, node: cst.CSTNode) -> bool:
        """Whether a node is a call of a method that datasets have."""
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        ours = self.flow.api(node.func) or self.flow.graph.callees(node)
        return node.func.attr.value in METHODS and not ours

    def paths(self, node: cst.CSTNode) -> list[Path]:
        """The ways in which the value of an expression may have been put together."""
        found = self._paths.get(node)
        if found is None:
            self._paths[node] = []
            found = self._paths[node] = list(self._build(node))[:12]
        return found

    def _build(self, node: cst.CSTNode) -> Iterator[Path]:
        for source in self.flow.sources(node):
            if self.stage(source):
                assert isinstance(source, cst.Call)
                assert isinstance(source.func, cst.Attribute)
                for path in self.paths(source.func.value):
                    yield Path(path.root, (*path.stages, source))
            else:
                yield Path(source, ())

    def is_dataset(self, path: Path) -> bool:
        """Whether a path is one of tf.data: by its root, or by a name and methods that only datasets have."""
        if isinstance(path.root, cst.Call):
            if _ROOTS.match(self.flow.api(path.root.func)):
                return True
            if self.flow.api(path.root.func).startswith(
                ("datasets.", "torch", "pandas", "ray.", "multiprocessing")
            ):
                return False
        if isinstance(path.root, cst.Subscript) and self.is_loaded(path.root):
            return True
        if self._unpacked(path.root) or any(self._is_of_tensorflow(s) for s in path.stages):
            return True
        named = data_hints.TF_DATASET.search(last(dotted(path.root)) or dotted(path.root))
        return bool(named) and any(method_of(s) in _OURS for s in path.stages)

    def _is_of_tensorflow(self, stage: cst.Call) -> bool:
        """Whether only datasets of tf.data have a stage: `padded_batch`, or a `map` said to be parallel."""
        if method_of(stage) == "padded_batch" or keyword(stage, "num_parallel_calls") is not None:
            return True
        return any(self.flow.api(arg.value).endswith("data.AUTOTUNE") for arg in stage.args)

    def is_loaded(self, node: cst.Subscript) -> bool:
        """Whether a subscript takes a split out of `tfds.load(...)`."""
        made = self.flow.sources(node.value)
        direct = any(isinstance(s, cst.Call) and bool(_ROOTS.match(self.flow.api(s.func))) for s in made)
        return direct or self._unpacked(node.value)

    def _unpacked(self, node: cst.CSTNode) -> bool:
        """Whether a name is one of `(train, test), info = tfds.load(..., with_info=True)`."""
        return any(
            d.kind in ("item", "other")
            and isinstance(d.node, cst.Call)
            and self.flow.api(d.node.func) == "tensorflow_datasets.load"
            for d in self.flow.definitions(node)
        )

    def after(self, call: cst.Call) -> set[cst.Call]:
        """The stages that follow a stage on some path."""
        if self._after is None:
            self._after = {}
            for method in METHODS:
                for later in self.flow.named(method):
                    for path in self.paths(later) if self.stage(later) else ():
                        for number, stage in enumerate(path.stages):
                            self._after.setdefault(stage, set()).update(path.stages[number + 1 :])
        return self._after.get(call, set())

    # --- what a stage does -------------------------------------------------------------------------

    def called_in(self, call: cst.Call) -> set[str]:
        """The names of everything that the function given to `map` calls."""
        return {self._name_of(inner) for inner in self._calls_in(call)}

    def _name_of(self, call: cst.Call) -> str:
        name = call.func.attr.value if isinstance(call.func, cst.Attribute) else dotted(call.func)
        return self.flow.api(call.func) or name

    def _calls_in(self, call: cst.Call) -> list[cst.Call]:
        """All calls in the function given to `map`, and in those that it calls."""
        given = argument(call, 0, "map_func")
        found: list[cst.Call] = []
        pending: list[cst.CSTNode] = list(self.flow.sources(given)) if given is not None else []
        seen: set[cst.CSTNode] = set()
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if isinstance(node, (cst.Lambda, cst.FunctionDef)):
                for inner in self.flow.model.walk(node.body):
                    if type(inner) is cst.Call:
                        found.append(inner)
                        pending += self.flow.graph.callees(inner)
            elif dotted(node):
                pending += [d.node for d in self.flow.definitions(node) if d.kind == "function"]
                pending += [*self._method(node), *imported_definitions(self.flow.model, node)]
        return found

    def _method(self, node: cst.CSTNode) -> list[cst.FunctionDef]:
        """The method that `self.parse` means."""
        if not isinstance(node, cst.Attribute):
            return []
        graph = self.flow.graph
        methods = (graph.methods(c).get(node.attr.value) for c in graph.classes(node.value))
        return [m for m in methods if m is not None]

    def works(self, call: cst.Call) -> bool:
        """Whether a `map` reads, decodes or prepares: what a core is busy with."""
        if any(_DECODES.search(name) for name in self.called_in(call)):
            return True
        given = argument(call, 0, "map_func")
        known = given is not None and any(
            isinstance(s, (cst.Lambda, cst.FunctionDef)) for s in self.flow.sources(given)
        )
        return not known and given is not None and speaks_of(given, data_hints.HEAVY_MAP)

    def decodes_images(self, path: Path) -> bool:
        """Whether the elements of a path are decoded images."""
        maps = (s for s in path.stages if method_of(s) in ("map", "interleave", "flat_map"))
        return any(_IMAGES.search(name) for s in maps for name in self.called_in(s))

    def pixels(self, path: Path) -> int:
        """How many pixels the images of a path have, by the last resize or crop of each `map`; 0 where the
        sizes are not written out."""
        maps = (s for s in path.stages if method_of(s) == "map")
        sized = [c for s in maps for c in self._calls_in(s) if _SIZED.search(self._name_of(c))]
        areas = [self._area(call) for call in sized]
        return 0 if 0 in areas else max(areas, default=0)

    def _area(self, call: cst.Call) -> int:
        """The product of the two numbers that a call is given as height and width; 0 for anything else."""
        given = [a.value for a in call.args[1:]]
        if len(given) == 1 and isinstance(given[0], (cst.List, cst.Tuple)):
            given = [e.value for e in given[0].elements]
        numbers = [self._number(value) for value in given[:2]]
        return prod(numbers) if len(numbers) == 2 else 0

    def _number(self, node: cst.BaseExpression) -> int:
        """A whole number that is written out, or the sum of two; 0 for anything else."""
        if isinstance(node, cst.Integer):
            return int(node.evaluated_value)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            parts = self._number(node.left), self._number(node.right)
            return sum(parts) if all(parts) else 0
        return integer_of(self.flow.model, node) or 0

    def is_random(self, call: cst.Call) -> bool:
        """Whether a `map` gives other values each time, such as an augmentation."""
        return any(_RANDOM.search(name) for name in self.called_in(call))

    def is_pure(self, call: cst.Call) -> bool:
        """Whether a `map` is known to call nothing but deterministic TensorFlow functions."""
        names = self.called_in(call)
        given = argument(call, 0, "map_func")
        known = given is not None and all(
            isinstance(s, (cst.Lambda, cst.FunctionDef)) for s in self.flow.sources(given)
        )
        return known and all(n.startswith("tf.") and not _IMPURE.search(n) for n in names)

    def has_work(self, path: Path) -> bool:
        """Whether preparing an element costs something: files, a generator, a function per element."""
        root = self.flow.api(path.root.func) if isinstance(path.root, cst.Call) else ""
        mapped = any(method_of(s) in ("map", "interleave", "flat_map") for s in path.stages)
        return mapped or bool(_FILES.search(root))


def method_of(call: cst.Call) -> str:
    """The name of the method that a stage calls."""
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


def batched(stages: tuple[cst.Call, ...]) -> cst.Call | None:
    """The call of `batch` that is in force after these stages."""
    found: cst.Call | None = None
    for stage in stages:
        if method_of(stage) in BATCHES:
            found = stage
        elif method_of(stage) in _REGROUPS:
            found = None
    return found


def tf_name(model: ScriptModel, node: cst.CSTNode) -> str:
    """The name that means tensorflow where a node stands; "" where nothing does."""
    scope: NameScope | None = model.names.scope_of(node)
    while scope is not None:
        for name, paths in scope.imports.items():
            if (
                paths == {"tensorflow"}
                and model.names.scope_of(node).owner(name) is scope
                and name not in scope.others
            ):
                return name
        scope = scope.parent
    return ""
