"""What the ranks of a distributed script do about their device: who sets it, and who takes the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import call_trace, calls_of, in_one_run, is_conditional
from memlint.analysis.dataflow.guards import stands_behind
from memlint.analysis.dataflow.value_sources import expressions_behind
from memlint.analysis.facts import Called
from memlint.analysis.knowledge import device_hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.devices import JOIN_PATHS
from memlint.analysis.training.hardware.environment import settings
from memlint.analysis.values import Const, Value
from memlint.records import dataclass
from memlint.syntax.arguments import argument
from memlint.syntax.expressions import UNKNOWN, is_text, literal, speaks_of
from memlint.syntax.tree import last_name, walk

SETTERS = (
    "torch.cuda.set_device",
    "torch.accelerator.set_device_index",
    "torch.accelerator.set_device_idx",
    "torch.set_default_device",
    "torch.cuda.device",
    "torch.xpu.set_device",
    "torch.npu.set_device",
)
# Frameworks that give each rank its device, or its only one.
_FRAMEWORKS = (
    "lightning", "pytorch_lightning", "lightning_fabric", "accelerate", "deepspeed", "ignite", "horovod",
    "ray", "composer", "colossalai", "torch_xla", "byteps", "mmengine", "mmcv", "detectron2", "fairscale",
    "megatron", "nemo", "torch_npu", "habana_frameworks", "oneccl_bindings_for_pytorch",
    "intel_extension_for_pytorch",
)  # fmt: skip
_FIRST = re.compile(r"^cuda(:0)?$")


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """A use of the current device, which is the first one unless somebody sets it.

    `device` is what is written, `touches` whether something is put there at once, not only named.
    """

    node: cst.CSTNode
    device: str
    event: Called
    touches: bool


def joins(model: ScriptModel) -> list[Called]:
    """The calls that make the process one of several ranks; none for a group of one."""
    return [event for event in calls_of(model, *JOIN_PATHS) if not _is_alone(model, event)]


def _is_alone(model: ScriptModel, event: Called) -> bool:
    return event.keywords.get("world_size") == Const(1) or _runs_alone(model, event.node)


def _runs_alone(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node stands in the branch for the only process: `else: self.world_size = 1`."""
    branches = (block for block in model.ancestors(node) if isinstance(block, cst.IndentedBlock))
    inner = (block for block in branches if isinstance(model.parent(block), (cst.If, cst.Else)))
    return any(_sets_one(statement) for block in inner for statement in block.body)


def _sets_one(statement: cst.BaseStatement) -> bool:
    line = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    if not isinstance(line, cst.Assign) or literal(line.value) != 1:
        return False
    return any(last_name(target.target) == "world_size" for target in line.targets)


def is_on_host(model: ScriptModel, event: Called) -> bool:
    """Whether all backends that the file names for a group are those of the CPU, as in
    `os.environ.get("BACKEND", "gloo")`."""
    given = argument(event.node, 0, "backend") if isinstance(event.node, cst.Call) else None
    ends = expressions_behind(model, given) if given is not None else ()
    words = {literal(part) for end in ends for part in walk(end)}
    return bool(words & _OF_HOSTS) and "nccl" not in words


_OF_HOSTS = frozenset({"gloo", "mpi"})


def is_managed(model: ScriptModel) -> bool:
    """Whether somebody else may set the device: a framework, the launcher of a trainer, another file."""
    if model.imports(*_FRAMEWORKS) or any(model.names.references(f"transformers.{n}") for n in _TRAINERS):
        return True
    if any(s.name == "CUDA_VISIBLE_DEVICES" and s.literal is None for s in settings(model)):
        return True
    imported = (
        e for e in call_trace(model) if not e.path.startswith(("torch.", "import ", "os.", "builtins."))
    )
    return any(device_hints.SETS_DEVICE_UP.search(event.path.rpartition(".")[2]) for event in imported)


_TRAINERS = ("Trainer", "Seq2SeqTrainer", "TrainingArguments", "Seq2SeqTrainingArguments")


def sets_device(model: ScriptModel) -> list[Called]:
    """The calls that set the device of the process."""
    return list(calls_of(model, *SETTERS))


def is_optional(model: ScriptModel, events: list[Called]) -> bool:
    """Whether the process joins the others only on some paths."""
    return all(is_conditional(model, event) for event in events)


def bare_uses(model: ScriptModel, groups: list[Called]) -> Iterator[Bare]:
    """Where a run that joins the ranks uses the current device, or the first one by its index."""
    for event in call_trace(model):
        node = event.node
        if not isinstance(node, cst.Call) or not any(in_one_run(event, group) for group in groups):
            continue
        if _in_one_rank(model, node) or _is_rest(model, node) or _runs_alone(model, node):
            continue
        device, touches = _device_of(model, event, node)
        if device:
            yield Bare(node, device, event, touches)


def _device_of(model: ScriptModel, event: Called, node: cst.Call) -> tuple[str, bool]:
    if event.path == ".cuda":
        first = node.args[0].value if node.args else None
        plain = first is None or (isinstance(first, cst.Integer) and first.value == "0")
        named = any(a.keyword is not None and a.keyword.value == "device" for a in node.args)
        return (".cuda()" if first is None else ".cuda(0)", True) if plain and not named else ("", False)
    if event.path == ".to":
        written = node.args[0].value if node.args else None
        return _first(model, written, event.args[0] if event.args else None), True
    if event.path == "torch.device":
        if len(node.args) == 1:
            return _first(model, node.args[0].value, event.args[0] if event.args else None), False
        return "", False
    if event.path.startswith("torch.") and "device" in event.keywords:
        written = argument(node, len(node.args), "device")
        return _first(model, written, event.keywords["device"]), True
    return "", False


def _first(model: ScriptModel, written: cst.BaseExpression | None, value: Value | None) -> str:
    """`cuda` or `cuda:0` when a device argument is that, also by `"cuda" if ... else "cpu"`."""
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value if _FIRST.match(value.value) else ""
    if isinstance(written, cst.IfExp) and isinstance(written.body, cst.SimpleString):
        text = str(written.body.evaluated_value)
        return text if _FIRST.match(text) else ""
    return ""


def _is_rest(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether another branch of an `if` around a use names the device by an index."""
    branches = (above for above in model.ancestors(node) if isinstance(above, (cst.If, cst.IfExp)))
    return any(_holds_index(model, branch) for branch in branches)


@cached
def _holds_index(model: ScriptModel, branch: cst.CSTNode) -> bool:
    """Whether an `if` and what is below it name a device by an index."""
    return any(_names_index(part) for part in walk(branch))


def _names_index(node: cst.CSTNode) -> bool:
    """Whether an expression names a device by a variable: `f"cuda:{i}"`, `"cuda:" + i`, `x.cuda(i)`."""
    if type(node) is cst.FormattedString:
        text = node.parts[0] if len(node.parts) > 1 else None
        return isinstance(text, cst.FormattedStringText) and text.value in ("cuda", "cuda:")
    if type(node) is cst.Call:
        position = {"cuda": 0, "device": 1}.get(last_name(node.func), len(node.args))
        if position >= len(node.args) or (position and not is_text(node.args[0].value, "cuda")):
            return False
        return literal(node.args[position].value) is UNKNOWN
    return is_text(node, "cuda:")


def _in_one_rank(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether only one rank gets here: it stands behind a question for the rank."""
    return stands_behind(model, node, _asks_for_rank)


def _asks_for_rank(test: cst.BaseExpression) -> bool:
    """Whether a condition asks which rank this is: `rank == 0`, `not rank`, `is_main_process()`."""
    if speaks_of(test, device_hints.ASKS_FOR_RANK):
        return True
    return any(
        speaks_of(part, device_hints.RANK)
        for part in walk(test)
        if (type(part) is cst.Comparison and literal(part.comparisons[0].comparator) == 0)
        or (type(part) is cst.UnaryOperation and type(part.operator) is cst.Not)
    )
