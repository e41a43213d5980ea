"""The worker processes of a DataLoader: how many, how they start, and which data sets they get."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.dataflow.constants import integer_of
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.functions import definition
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import libraries
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hf_trainer import trainings
from memlint.analysis.values import Const, Frame, Items, Obj, Ref, Value, options_of
from memlint.records import dataclass
from memlint.syntax.arguments import keyword
from memlint.syntax.tree import dotted

LOADER_PARAMETERS = (
    "dataset batch_size shuffle sampler batch_sampler num_workers collate_fn pin_memory drop_last timeout "
    "worker_init_fn multiprocessing_context generator"
).split()
"""The parameters of a DataLoader that may be given by position."""
_TRAINER = "transformers.Trainer"
_COUNTED = pattern(r"(^|\.)(cpu_count|sched_getaffinity|process_cpu_count)$")
_METHODS = ("spawn", "forkserver", "fork")
_SCRIPT_PYTHON = pattern(r"^# requires-python\s*=\s*\"\s*>=?\s*3\.(\d+)", re.MULTILINE)
_FORKSERVER_SINCE = 14
_NO_FORK = pattern(r"^(win32|darwin|nt|Windows|Darwin)$")
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Workers:
    """How many workers a loader has: "some", "none" or "unknown"; `code` is what the call says, and `single`
    that it says one."""

    kind: str
    code: str = ""
    single: bool = False

    @property
    def explicit(self) -> bool:
        """Whether the call itself says so."""
        return bool(self.code)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One data set: the place that makes it, and its class in the file or its import path."""

    node: cst.CSTNode
    klass: cst.ClassDef | None
    path: str


def loaders(model: ScriptModel) -> list[Obj]:
    """The DataLoaders that the file makes by a call in it."""
    return [obj for obj in model.trace.loaders.values() if isinstance(obj.node, cst.Call)]


def trainer_loaders(model: ScriptModel) -> list[Obj]:
    """The loaders with workers that Trainers of transformers make for the training data they are given."""
    found = []
    for training in trainings(model):
        options = training.arguments
        count = keyword(options, "dataloader_num_workers") if options is not None else None
        number = integer_of(model, count) if count is not None else None
        if number and "train_dataset" in training.given:
            obj = Obj(-1, "loader", training.call, _TRAINER, args={"num_workers": Const(number)})
            found.append(obj)
    return found


def loader_argument(model: ScriptModel, loader: Obj, name: str) -> cst.BaseExpression | None:
    """The expression that a loader's call gives for an argument, also through a spread dictionary."""
    assert isinstance(loader.node, cst.Call)
    plain = [a for a in loader.node.args if a.keyword is None and not a.star]
    for arg in loader.node.args:
        if arg.keyword is not None and arg.keyword.value == name:
            return arg.value
    if name in LOADER_PARAMETERS and LOADER_PARAMETERS.index(name) < len(plain):
        return plain[LOADER_PARAMETERS.index(name)].value
    for arg in loader.node.args:
        if arg.star == "**":
            for origin in value_sources(model, arg.value):
                if (found := _entry(origin, name)) is not None:
                    return found
    return None


def _entry(origin: Definition, name: str) -> cst.BaseExpression | None:
    if isinstance(origin.node, cst.Dict):
        for element in origin.node.elements:
            if (
                isinstance(element, cst.DictElement)
                and isinstance(element.key, cst.SimpleString)
                and element.key.evaluated_value == name
            ):
                return element.value
    if isinstance(origin.node, cst.Call) and dotted(origin.node.func) == "dict":
        for arg in origin.node.args:
            if arg.keyword is not None and arg.keyword.value == name:
                return arg.value
    return None


def value_of(loader: Obj, name: str) -> Value | None:
    """What the abstract run knows of an argument of a loader."""
    position = str(LOADER_PARAMETERS.index(name)) if name in LOADER_PARAMETERS else name
    return loader.args.get(name, loader.args.get(position))


def workers(model: ScriptModel, loader: Obj) -> Workers:
    """How many worker processes a loader starts, as far as the file tells."""
    node = loader_argument(model, loader, "num_workers")
    value = value_of(loader, "num_workers")
    code = model.code(node) if node is not None else ""
    counts = [o.value for o in options_of(value) if isinstance(o, Const)] if value is not None else []
    numbers = [n for n in counts if isinstance(n, int)]
    if any(n > 0 for n in numbers):
        return Workers("some", code, single=max(numbers) == 1)
    if value is not None and numbers and len(numbers) == len(options_of(value)):
        return Workers("none", code)
    if node is None:
        return Workers("unknown" if "**" in loader.args or value is not None else "none")
    return Workers(_counted(model, node), code)


def _counted(model: ScriptModel, node: cst.BaseExpression) -> str:
    found = value_sources(model, node)
    if any(_is_positive(model, origin.node) for origin in found):
        return "some"
    return "unknown"


def _is_positive(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether an expression is a number above zero, or is computed from the number of processors."""
    if isinstance(node, cst.Integer):
        return node.evaluated_value > 0
    if not isinstance(node, (cst.Call, cst.BinaryOperation)):
        return False
    # `cfg.get("workers", 4)`, `getattr(args, "workers", 4)`
    asked = dotted(node.func) if isinstance(node, cst.Call) else ""
    if isinstance(node, cst.Call) and (asked == "getattr" or asked.endswith(".get")) and len(node.args) > 1:
        default = node.args[-1].value
        return isinstance(default, cst.Integer) and default.evaluated_value > 0
    return any(
        isinstance(part, cst.Call) and _COUNTED.search(dotted(part.func)) is not None
        for part in model.walk(node)
    )


def start_method(model: ScriptModel, loader: Obj) -> str:
    """How the workers of a loader start: "spawn" or "forkserver" where the file says so, else ""."""
    given = loader_argument(model, loader, "multiprocessing_context")
    if given is not None:
        found = [_method_named(origin.node) for origin in value_sources(model, given)]
        return next((m for m in found if m in ("spawn", "forkserver")), "")
    for call in model.names.calls:
        if dotted(call.func).rpartition(".")[2] == "set_start_method" and call.args:
            named = [_method_named(o.node) for o in value_sources(model, call.args[0].value)]
            if method := next((m for m in named if m in ("spawn", "forkserver")), ""):
                return method
    wanted = _SCRIPT_PYTHON.search(model.text)
    if wanted is not None and int(wanted[1]) >= _FORKSERVER_SINCE:
        return "forkserver"
    return "spawn" if loader.node is not None and _on_other_platform(model, loader.node) else ""


def _method_named(node: cst.CSTNode) -> str:
    """The start method in `"spawn"` or `get_context("spawn")`."""
    if isinstance(node, cst.Call) and dotted(node.func).endswith("get_context") and node.args:
        node = node.args[0].value
    if isinstance(node, cst.SimpleString) and node.evaluated_value in _METHODS:
        return str(node.evaluated_value)
    return ""


def _on_other_platform(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node only runs on Windows or macOS, where workers are spawned."""
    below = node
    for above in model.ancestors(node):
        if isinstance(above, cst.If) and below is above.body and isinstance(above.test, cst.Comparison):
            target = above.test.comparisons[0]
            if isinstance(target.operator, cst.Equal) and isinstance(target.comparator, cst.SimpleString):
                return _NO_FORK.match(str(target.comparator.evaluated_value)) is not None
        below = above
    return False


def datasets(model: ScriptModel, loader: Obj) -> list[Source]:
    """The data sets behind a loader, through subsets, splits, concatenations and wrappers of the file."""
    found: list[Source] = []
    value = value_of(loader, "dataset")
    if value is not None:
        _unwrap(model, value, found, _DEPTH)
    written = loader_argument(model, loader, "train_dataset" if loader.path == _TRAINER else "dataset")
    if not found and written is not None:
        _written(model, written, found, _DEPTH)
    return found


def construction(model: ScriptModel, source: Source, node: cst.CSTNode) -> Frame | None:
    """The activation in which a place in a data set's class runs for this object of it, not for another one;
    None where the run did not see it made."""
    function = model.function_of(node)
    frames = model.machine.frames_of(function) if function is not None else []
    return next((f for f in frames if any(on.call is source.node for on in f.chain())), None)


def _add(found: list[Source], source: Source) -> bool:
    if any(source.node is known.node for known in found):
        return False
    found.append(source)
    return True


def _unwrap(model: ScriptModel, value: Value, found: list[Source], depth: int) -> None:
    for option in options_of(value):
        if isinstance(option, Items):
            for item in option.items:
                _unwrap(model, item, found, depth)
        if not isinstance(option, Ref) or option.obj.node is None or depth == 0:
            continue
        obj = option.obj
        if libraries.DATASET_WRAPPERS.match(obj.path):
            inner = obj.args.get("0", obj.args.get("dataset", obj.args.get("datasets")))
            if inner is not None:
                _unwrap(model, inner, found, depth - 1)
            continue
        klass = obj.cls.node if obj.cls is not None else None
        assert obj.node is not None
        if not _add(found, Source(obj.node, klass, obj.path)):
            continue
        for name, stored in model.machine.entries(obj):
            held = obj.kind in ("list", "dict") or (obj.cls is not None and name.startswith("."))
            if held and _may_be_dataset(stored):
                _unwrap(model, stored, found, depth - 1)


def _may_be_dataset(value: Value) -> bool:
    return any(
        isinstance(o, Ref)
        and (o.obj.kind == "dataset" or (o.obj.cls is not None and o.obj.cls.find("__getitem__")))
        for o in options_of(value)
    )


def _written(model: ScriptModel, node: cst.BaseExpression, found: list[Source], depth: int) -> None:
    """The same from what is written, where the run did not come to the assignment in time."""
    for origin in value_sources(model, node):
        call = origin.node
        if not isinstance(call, cst.Call) or depth == 0:
            continue
        path = model.path_of(call.func)
        made = definition(model, call.func)
        if libraries.DATASET_WRAPPERS.match(path):
            for arg in call.args[:1]:
                _written(model, arg.value, found, depth - 1)
        elif isinstance(made, cst.FunctionDef):
            for part in model.walk(made.body):
                if isinstance(part, cst.Return) and part.value is not None:
                    _written(model, part.value, found, depth - 1)
        else:
            _add(found, Source(call, made, path))
