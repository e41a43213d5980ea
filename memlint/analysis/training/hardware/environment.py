"""Environment variables that a script sets for itself, and moving such a line further up."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.execution_order import call_trace, ran_before
from memlint.analysis.facts import Called
from memlint.analysis.interpret.call_trace import SET_ENVIRONMENT
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.match import Change, Move
from memlint.analysis.model import ScriptModel
from memlint.analysis.values import Const
from memlint.records import dataclass
from memlint.syntax.expressions import same
from memlint.syntax.tree import last_name, root_name

_CALLS = ("os.environ.setdefault", "os.putenv")
_SPAWNS = pattern(
    r"^(subprocess\.|(torch\.)?multiprocessing\.(\w+\.)*(Process|Pool|spawn|start_processes|Popen)"
    r"|concurrent\.futures\.\w+|os\.(system|popen|exec\w*|spawn\w*|fork)$|ray\.|sh\.|joblib\.Parallel"
    r"|\.(Process|Pool|remote|start_processes)$|torch\.distributed\.(launcher|elastic|run|launch)\.\w"
    r"|accelerate\.(\w+\.)*(notebook_launcher|debug_launcher)$)"
)

_CHOOSES = pattern(r"^tensorflow\.(.*\.)?config\.(experimental\.)?set_visible_devices$")

# Packages that import torch, so that whatever torch reads at its import is read by then.
IMPORT_TORCH = frozenset(
    "accelerate allennlp apex bitsandbytes botorch captum clip deepspeed detectron2 dgl diffusers "
    "efficientnet_pytorch espnet espnet2 fairseq fastai flair flash_attn gpytorch ignite kornia "
    "lightning lion_pytorch mmcv mmdet mmengine monai open_clip peft pyro pytorch_forecasting "
    "pytorch_lightning segmentation_models_pytorch sentence_transformers simpletransformers "
    "skorch speechbrain stable_baselines3 tensordict timm torch torch_geometric torchaudio "
    "torchdata torchinfo torchmetrics torchrl torchsummary torchtext torchvision transformers trl "
    "ultralytics unsloth vllm xformers".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """`os.environ[name] = value` in one of its forms; `value` is the expression as written.

    `node` is what a finding points at, `firm` whether the value takes the place of an earlier one.
    """

    event: Called
    node: cst.CSTNode
    key: cst.BaseExpression | None
    name: str
    value: cst.BaseExpression
    firm: bool

    @property
    def literal(self) -> str | None:
        """The value when it is a plain string."""
        if isinstance(self.value, cst.SimpleString):
            return str(self.value.evaluated_value)
        return None


@cached
def settings(model: ScriptModel) -> list[Setting]:
    """Every variable that the file sets in its own environment, in the order of execution, once each."""
    found: dict[tuple[cst.CSTNode, str], Setting] = {}
    for event in call_trace(model):
        for setting in _of_event(model, event):
            found.setdefault((setting.node, setting.name), setting)
    return list(found.values())


def _of_event(model: ScriptModel, event: Called) -> Iterator[Setting]:
    node = event.node
    if event.path == SET_ENVIRONMENT and isinstance(event.args[0], Const):
        assignment = model.parent(node)
        whole = model.parent(assignment) if isinstance(assignment, cst.AssignTarget) else None
        if isinstance(whole, cst.Assign) and isinstance(node, cst.Subscript):
            index = node.slice[0].slice
            key = index.value if isinstance(index, cst.Index) else None
            yield Setting(event, whole, key, str(event.args[0].value), whole.value, True)
    elif event.path in _CALLS and isinstance(node, cst.Call) and len(node.args) == 2:
        if isinstance(event.args[0], Const):
            firm = event.path != "os.environ.setdefault"
            name = str(event.args[0].value)
            yield Setting(event, node, node.args[0].value, name, node.args[1].value, firm)
    elif event.path == "os.environ.update" and isinstance(node, cst.Call):
        yield from _update(event, node)


def _update(event: Called, call: cst.Call) -> Iterator[Setting]:
    for arg in call.args:
        if arg.keyword is not None:
            yield Setting(event, call, None, arg.keyword.value, arg.value, True)
        elif isinstance(arg.value, cst.Dict):
            for element in arg.value.elements:
                if isinstance(element, cst.DictElement) and isinstance(element.key, cst.SimpleString):
                    name = str(element.key.evaluated_value)
                    yield Setting(event, call, element.key, name, element.value, True)


def is_spawn(event: Called) -> bool:
    """Whether a call starts another process, which inherits the environment."""
    return bool(_SPAWNS.match(event.path))


def inherited(model: ScriptModel, setting: Setting) -> bool:
    """Whether a process that is started after a setting, or may be, gets the variable."""
    spawned = (event for event in call_trace(model) if is_spawn(event))
    return any(ran_before(model, setting.event, event) != "no" for event in spawned)


def is_repeated(model: ScriptModel, setting: Setting) -> bool:
    """Whether a variable gets the value that an earlier line has given it on every way to here."""
    same_name = (other for other in settings(model) if other.name == setting.name and other.firm)
    return any(
        other.node is not setting.node
        and same(other.value, setting.value)
        and ran_before(model, other.event, setting.event) == "yes"
        for other in same_name
    )


def is_chosen_otherwise(model: ScriptModel, setting: Setting) -> bool:
    """Whether TensorFlow has been told which GPUs it may see, which is what the variable would do."""
    told = (event for event in call_trace(model) if _CHOOSES.search(event.path))
    return any(ran_before(model, event, setting.event) != "no" for event in told)


def serves_children(model: ScriptModel, setting: Setting) -> bool:
    """Whether a process that is started later gets the variable, or this code is what a process runs."""
    names = {f.name for f in setting.event.frame.chain()}
    handed = (n for e in call_trace(model) if is_spawn(e) for n in model.walk(e.node) if type(n) is cst.Name)
    if inherited(model, setting) or any(name.value in names for name in handed):
        return True
    beside = (s for s in settings(model) if s.name in _OF_RANKS)
    return any(_block_of(model, s) is _block_of(model, setting) for s in beside)


_OF_RANKS = frozenset({"MASTER_ADDR", "MASTER_PORT"})
"""What a process sets for the ranks that it is about to start, here or in another file."""


def _block_of(model: ScriptModel, setting: Setting) -> cst.CSTNode | None:
    line = model.statement_of(setting.node)
    return model.parent(line) if line is not None else None


def imports_torch(event: Called) -> bool:
    """Whether an event is the import of torch, or of a package that imports it."""
    return event.path.startswith("import ") and event.path[7:].partition(".")[0] in IMPORT_TORCH


def first_import(model: ScriptModel) -> cst.CSTNode | None:
    """The first statement at module level that imports torch or a package on top of it."""
    imported = {event.node for event in call_trace(model) if imports_torch(event)}
    for statement in model.module.body:
        runs = not isinstance(statement, (cst.FunctionDef, cst.ClassDef))
        if runs and any(node in imported for node in model.walk(statement)):
            return statement
    return None


def hoisted(model: ScriptModel, setting: Setting, before: cst.CSTNode | None) -> tuple[Change, ...] | None:
    """The changes that put a setting before a statement of the module; None where that is not certain.

    Only a line of the module itself with literal strings moves, and only to where its `os` is imported.
    """
    line = model.statement_of(setting.node)
    if before is None or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if model.parent(line) is not model.module or setting.literal is None or line is before:
        return None
    if not isinstance(setting.key, cst.SimpleString) or setting.event.path == "os.environ.update":
        return None
    rank = model.positions
    if rank[line] < rank[before] or not _is_bound(model, setting, before) or _is_read(model, setting, line):
        return None
    return (Move(line, before, led=True),)


def _is_read(model: ScriptModel, setting: Setting, line: cst.CSTNode) -> bool:
    """Whether something asks for the name of a setting, or all of the environment, and would get another
    answer once the setting has moved; or something else in the file sets the same name."""
    if any(other.name == setting.name and other is not setting for other in settings(model)):
        return True
    if any(_is_taken_whole(model, node) for node in _environments(model) if _is_before(model, node, line)):
        return True
    keys = [other.key for other in settings(model)]
    named = [s for s in model.names.every(cst.SimpleString) if s.evaluated_value == setting.name]
    asked = (s for s in named if s not in keys)
    return any(_is_before(model, node, line) or _is_changed(model, node) for node in asked)


def _is_before(model: ScriptModel, node: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether code may run before a line of the module."""
    return model.positions[node] < model.positions[line] or model.function_of(node) is not None


def _environments(model: ScriptModel) -> Iterator[cst.CSTNode]:
    """Every `os.environ`, and every method of it."""
    yield from model.names.references("os.environ")
    yield from model.names.references("os.environ.*")


def _is_taken_whole(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether `os.environ` is copied, gone through or handed on, and not asked for or given one entry."""
    if model.names.one(node) != "os.environ":
        return last_name(node) not in ("get", "setdefault", "pop", "update")
    above = (cst.Subscript, cst.Attribute, cst.ComparisonTarget, cst.Comparison)
    return not isinstance(model.parent(node), above)


def _is_changed(model: ScriptModel, key: cst.CSTNode) -> bool:
    """Whether an entry of a name is deleted, taken out or added to."""
    entry = next((a for a in model.ancestors(key) if isinstance(a, (cst.Subscript, cst.Call))), None)
    above = model.parent(entry) if entry is not None else None
    popped = isinstance(entry, cst.Call) and last_name(entry.func) == "pop"
    return popped or isinstance(above, (cst.Del, cst.AugAssign))


def _is_bound(model: ScriptModel, setting: Setting, before: cst.CSTNode) -> bool:
    """Whether the `os` of a setting is imported above a statement of the module."""
    if isinstance(setting.node, cst.Assign):
        head = root_name(setting.node.targets[0].target)
    else:
        head = root_name(setting.node.func) if isinstance(setting.node, cst.Call) else ""
    for statement in model.module.body:
        if statement is before:
            return False
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        if isinstance(small, (cst.Import, cst.ImportFrom)) and not isinstance(small.names, cst.ImportStar):
            names = [alias.evaluated_alias or alias.evaluated_name.partition(".")[0] for alias in small.names]
            if head in names:
                return True
    return False
