"""MEM501: the allocator's cache is emptied, or garbage collected, at every step."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, leaves
from memlint.analysis.dataflow.execution_frequency import Cadence, cadence_of, share_of
from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.dataflow.settings import integer_of
from memlint.analysis.facts import Called
from memlint.analysis.fixes.moves import unused_import
from memlint.analysis.knowledge import naming
from memlint.analysis.match import Change, Label, Match, Plan, Remove
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.evaluation import is_managed
from memlint.analysis.training.hardware.devices import cpu_only
from memlint.analysis.values import Frame, Ref, options_of
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, statements

_EMPTY = tuple(
    f"torch.{device}{module}.empty_cache"
    for device in ("cuda", "xpu", "mps", "npu", "accelerator", "mtia", "musa")
    for module in ("", ".memory")
)
_COLLECT = ("gc.collect",)
_RARE = 100
_HOOK = re.compile(
    r"^((training|validation|test|predict|prediction)_step|compute_loss"
    r"|on_(train|validation|test|predict)?_?batch_(start|end)|on_(sub)?step_(begin|end)|(before|after)_(batch|step|pred|loss|backward)|optimizer_step)$"
)
_STEP_EVENTS = re.compile(r"\bEvents\.(ITERATION|GET_BATCH|FORWARD|BACKWARD|OPTIM_STEP)_\w+")
_HELPER = re.compile(r"(clean|clear|free|empty|flush|gc|collect|release|cache|purge|mem)", re.IGNORECASE)
_ROOM = re.compile(
    r"(offload|unload|wake_up|(?<!time\.)(?<!asyncio\.)\bsleep\b|swap|sync_weights|update_weights|reload|destroy)",
    re.IGNORECASE,
)
_MEASURES = frozenset(("reset_peak_memory_stats", "reset_max_memory_allocated"))
_STUDY = re.compile(r"(profil|bench|measur|memory_usage|timing|ablat)", re.IGNORECASE)
_CAUTION = "results stay the same, but a run near the memory limit may end otherwise"


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Calls that empty the cache or collect garbage on (nearly) every iteration of a loop over batches.

    Not in notebooks: there they make room between cells that run again and again.
    """
    if cpu_only(model) or model.notebook:
        return
    seen: set[cst.CSTNode] = set()
    manual = "freeze" in model.identifiers or "disable" in model.identifiers
    found = [(event, "default") for event in calls_of(model, *_EMPTY)]
    found += [(event, "collect") for event in calls_of(model, *_COLLECT) if not manual]
    for event, variant in found:
        often = _often(model, event)
        if often is None:
            continue
        site = _site(event, often[1])
        if site not in seen:
            seen.add(site)
            yield _match(model, event.node, variant, site, *often)
    for call in _in_forward(model):
        if call not in seen:
            yield _match(model, call, "default", call, "in every forward pass", None)


def _in_forward(model: ScriptModel) -> Iterator[cst.Call]:
    """Calls that empty the cache whenever a module of the file runs forward."""
    for path in _EMPTY:
        for name in model.names.references(path):
            call, function = model.parent(name), model.function_of(name)
            owner = model.class_of(name)
            if not isinstance(call, cst.Call) or function is None or owner is None:
                continue
            is_module = any(model.names.one(base.value).endswith(".Module") for base in owner.bases)
            if function.name.value == "forward" and is_module and share_of(model, call, function) == 1:
                yield call


def _often(model: ScriptModel, event: Called) -> tuple[str, Cadence | None] | None:
    """How often a call runs, in words, with the loop where there is one in the file."""
    if _only_after_failure(model, event.node):
        return None
    found = cadence_of(model, event)
    if found is not None:
        if found.step > _RARE or _makes_room(model, event, found):
            return None
        return found.in_words(), found
    return ("at every step", None) if _in_hook(model, event) else None


def _in_hook(model: ScriptModel, event: Called) -> bool:
    """Whether a call stands in a method that a framework runs at every step, or in a helper that it calls."""
    node, step = event.node, 1
    for frame in event.frame.chain():
        function = frame.node
        share = share_of(model, node, function) if isinstance(function, cst.FunctionDef) else None
        if share is None or not isinstance(function, cst.FunctionDef):
            return False
        step *= share
        if _is_hook(model, frame, function):
            return step <= _RARE and all(loop.node is function for loop in event.loops)
        if frame.call is None or not _HELPER.search(frame.name):
            return False
        node = frame.call
    return False


def _is_hook(model: ScriptModel, frame: Frame, function: cst.FunctionDef) -> bool:
    """Whether a framework runs a function at every step: a method by its name, a handler by its event."""
    if _HOOK.match(function.name.value) and is_managed(model, frame):
        return True
    handled = (d.decorator for d in function.decorators if isinstance(d.decorator, cst.Call))
    given = [a.value for call in handled if dotted(call.func).endswith(".on") for a in call.args]
    for call in model.names.calls:
        if dotted(call.func).endswith(".add_event_handler") and len(call.args) > 1:
            given += [call.args[0].value] if dotted(call.args[1].value) == function.name.value else []
    return any(_every_step(model, event) for event in given)


def _every_step(model: ScriptModel, event: cst.BaseExpression) -> bool:
    """Whether an event of ignite happens at (nearly) every step: `every=` says how many pass by."""
    if not _STEP_EVENTS.search(model.code(event)):
        return False
    if not isinstance(event, cst.Call):
        return True
    every = next((a.value for a in event.args if a.keyword is not None and a.keyword.value == "every"), None)
    number = integer_of(model, every) if every is not None else None
    return number is not None and number <= _RARE


def _only_after_failure(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether the call follows an exception: what ran into none has left, or a handler's flag is asked."""
    below = node
    for above in model.ancestors(node):
        if isinstance(above, (cst.IndentedBlock, cst.Module)):
            flags: set[str] = set()
            for earlier in statements(above):
                if isinstance(earlier, cst.If) and not flags.isdisjoint(model.names_in(earlier.test)):
                    asked = earlier is below or leaves(earlier.body, Leave.WITHOUT_ERROR)
                    if asked:
                        return True
                if earlier is below:
                    break
                if isinstance(earlier, cst.Try):
                    if earlier.orelse is None and leaves(earlier.body, Leave.WITHOUT_ERROR):
                        return True
                    flags.update(*(model.names_in(t) for h in earlier.handlers for t in _bound(model, h)))
        if isinstance(above, cst.FunctionDef):
            return False
        below = above
    return False


def _bound(model: ScriptModel, node: cst.CSTNode) -> list[cst.CSTNode]:
    return [n.target for n in model.walk(node) if isinstance(n, cst.AssignTarget)]


def _makes_room(model: ScriptModel, event: Called, found: Cadence) -> bool:
    """Whether each iteration is measured apart, throws a whole model away or moves one off the device."""
    loop = found.loop
    inside = [e for e in model.trace.called.values() if loop in e.loops]
    if any(e.path in (".cpu", ".to") and _leaves_device(model, e) for e in inside):
        return True
    if any(_MEASURES & model.names_in(part) for part in found.through) or any(
        _STUDY.search(frame.name) for frame in (*event.frame.chain(), *loop.frame.chain())
    ):
        return True
    for node in model.walk(loop.node):
        if type(node) is cst.Del and any(naming.role(n) == "module" for n in model.names_in(node)):
            return True
        if type(node) is cst.Call and _ROOM.search(model.code(node.func)):
            return True
    made = {id(o.node) for o in model.trace.objects.values() if o.kind == "module" and o.node is not None}
    return any(id(e.node) in made for e in inside)


def _leaves_device(model: ScriptModel, event: Called) -> bool:
    """Whether an event moves a module to the CPU."""
    assert isinstance(event.node, cst.Call)
    if event.owner is None or not any(
        isinstance(o, Ref) and o.obj.kind == "module" for o in options_of(event.owner)
    ):
        return False
    return event.path == ".cpu" or any(
        "cpu" in model.code(a) or "meta" in model.code(a) for a in event.node.args
    )


def _site(event: Called, found: Cadence | None) -> cst.CSTNode:
    """The call itself, or the call of the small helper that it stands in."""
    node: cst.CSTNode = event.node
    for frame in event.frame.chain():
        inside = found is None or frame is found.loop.frame
        if inside or frame.call is None or not _HELPER.search(frame.name):
            break
        node = frame.call
    return node


def _match(
    model: ScriptModel,
    call: cst.CSTNode,
    variant: str,
    site: cst.CSTNode,
    often: str,
    found: Cadence | None,
) -> Match:
    labels = []
    if found is not None and isinstance(found.loop.node, cst.For):
        labels.append(Label("the loop", found.loop.node.iter))
    if site is not call:
        labels.append(Label("called in here", call))
    plan = _plan(model, site, call)
    return Match(
        site,
        {"call": model.short(call), "often": often},
        variant,
        tuple(labels),
        plans=(plan,) if plan is not None else (),
    )


def _plan(model: ScriptModel, site: cst.CSTNode, call: cst.CSTNode) -> Plan | None:
    """Delete the statement, an `if` around nothing else, and an import that nothing else uses."""
    line = model.statement_of(site)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    only = line.body[0]
    if not isinstance(only, cst.Expr) or only.value is not site:
        return None
    changes: list[Change] = [Remove(_whole(model, line))]
    if site is call and isinstance(call, cst.Call):
        changes += unused_import(model, call.func)
    return Plan(Applicability.UNSAFE, "delete the call", tuple(changes), _CAUTION)


def _whole(model: ScriptModel, line: cst.SimpleStatementLine) -> cst.BaseStatement:
    """The statement, or the `if torch.cuda.is_available():` that holds it alone."""
    block = model.parent(line)
    branch = model.parent(block) if isinstance(block, cst.IndentedBlock) else None
    if (
        isinstance(branch, cst.If)
        and branch.orelse is None
        and not isinstance(model.parent(branch), cst.If)
        and len(statements(branch.body)) == 1
        and "is_available" in model.code(branch.test)
    ):
        return branch
    return line
