"""Where evaluation builds autograd graphs that nothing will ever run backward through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Forward, Loop
from memlint.analysis.knowledge import hints, naming
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.graphs import (
    is_differentiated,
    is_handed_out,
    is_wasted,
    wants_input_gradients,
)
from memlint.analysis.training.lightning import is_driven
from memlint.analysis.training.loops import acts, evaluates, over_batches, over_loader
from memlint.analysis.training.tests_in_code import in_unit_test
from memlint.analysis.uses.beside_training import How, displayed
from memlint.analysis.uses.shown_values import only_looked_at
from memlint.analysis.values import Frame, Ref, Tensor, options_of
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted, statements


@dataclass(frozen=True, slots=True)
class Recorded:
    """A forward pass of an evaluation outside no_grad.

    `strong` tells evaluation proper (a validation loop, `model.eval()` before it, a name that says so)
    from inference scripts; `loop` is None when the forward is not in a loop over batches. `site` is the
    expression in the function that runs the loop: the forward itself, or the call that leads to it.
    `display` says how often a forward runs that stands beside training and is only looked at; "" for all
    others.
    """

    forward: Forward
    site: cst.CSTNode
    loop: Loop | None
    frame: Frame
    word: str
    strong: bool
    display: How = ""


@cached
def recorded(model: ScriptModel) -> list[Recorded]:
    """The first recording forward of every evaluation, at most one for each loop or function."""
    return [] if _manages_evaluation(model) else list(_recorded(model))


def _recorded(model: ScriptModel) -> Iterator[Recorded]:
    trace = model.trace
    by_place: dict[int, Recorded] = {}
    sheltered = protected(model)
    for forward in trace.passes():
        found = _evaluation(model, forward) or _for_display(model, forward)
        if found is None or sheltered & _keys(model, found):
            continue
        place = id(_place(model, found))
        known = by_place.get(place)
        if known is None or _position(model, found) < _position(model, known):
            by_place[place] = found
    yield from by_place.values()


def _place(model: ScriptModel, found: Recorded) -> cst.CSTNode | None:
    """Where one finding says all: the loop, the function, or the block around what is for display."""
    if found.display:
        line = model.statement_of(found.site)
        return model.parent(line) if line is not None else None
    return found.loop.node if found.loop is not None else found.frame.node


def _for_display(model: ScriptModel, forward: Forward) -> Recorded | None:
    how = displayed(model, forward)
    if not how:
        return None
    return Recorded(forward, forward.node, None, forward.frame, forward.frame.name, False, how)


def _keys(model: ScriptModel, found: Recorded) -> set[tuple[object, int]]:
    node = found.forward.node
    place = id(found.loop.node) if found.loop is not None else 0
    return {(id(node), place), (found.forward.code + model.short(node, 200), place)}


@cached
def protected(model: ScriptModel) -> set[tuple[object, int]]:
    """(forward, loop) pairs that run under no_grad from some caller, or in the `try` of a fallback."""
    found: set[tuple[object, int]] = set()
    for forward in model.trace.passes():
        if forward.grad != "on":
            keys = (id(forward.node), forward.code + model.short(forward.node, 200))
            found |= {(key, id(loop.node)) for loop in forward.loops for key in keys} | {
                (id(forward.node), 0)
            }
    return found


def _position(model: ScriptModel, found: Recorded) -> int:
    return model.positions.get(found.site, 0)


def _may_be_wasted(model: ScriptModel, forward: Forward) -> bool:
    """Whether a forward builds an autograd graph, and nothing is known that would want it."""
    # A network that is being made runs parts of itself to learn their shapes.
    if in_unit_test(model, forward.frame) or forward.frame.constructs_module():
        return False
    if not forward.ids or not is_wasted(model, forward):
        return False
    if isinstance(forward.module, Tensor):
        # The graph of a product with a loose parameter holds its input, which is there anyway.
        return False
    return not (
        _wants_grad(model, forward)
        or _is_frozen(model, forward)
        or is_managed(model, forward.frame)
        or _is_training_function(forward)
    )


def _evaluation(model: ScriptModel, forward: Forward) -> Recorded | None:
    if not _may_be_wasted(model, forward):
        return None
    trace = model.trace
    loops = [loop for loop in forward.loops if over_batches(trace, loop)]
    loop = loops[-1] if loops else forward.loops[-1] if forward.loops and not trace.backwards else None
    own = [x for x in forward.loops if x.frame is forward.frame]
    if loop is not None and loop not in own and own and not over_loader(loop):
        loop = own[0]
    frames = forward.frame.chain()
    if loop is not None and loop.frame is not forward.frame and _steps_elsewhere(model, forward, loop):
        loop = own[0] if own else None
    inside = _frames_inside(frames, loop)
    word = evaluates(loop, inside)
    evaluating = forward.evaluating or _calls_eval_before(model, loop)
    escapes = is_handed_out(model, trace.descendants(forward.ids))
    if _trains(model, forward, loop, bool(word) or evaluating):
        if escapes or not _beside_training(model, forward):
            return None
        return Recorded(forward, forward.node, None, forward.frame, forward.frame.name, True)
    if loop is None:
        return _single(model, forward, escapes)
    if escapes and not (evaluating and (word or any(naming.infers(f.name) for f in inside))):
        return None
    shown = word or evaluating or _has_metrics(model, loop) or _is_inference(model, forward, loop, inside)
    if not shown and (acts(model, loop) or not only_looked_at(model, forward)):
        return None
    told = word or evaluating or over_loader(loop)
    if not told and _is_of_a_library(model, forward) and not _gives_numbers(model, forward, loop):
        return None
    return Recorded(
        forward,
        _site(forward, loop),
        loop,
        forward.frame if isinstance(loop.node, cst.FunctionDef) else loop.frame,
        word or loop.source,
        (bool(word) or evaluating) and not acts(model, loop),
    )


def _is_of_a_library(model: ScriptModel, forward: Forward) -> bool:
    """Whether a function that nothing here calls runs a network which others gave it, in a file without
    training: they say whether a graph is built."""
    functions = (f for f in forward.frame.chain() if isinstance(f.node, cst.FunctionDef))
    entry = next((f for f in functions if f.entry), None)
    if entry is None or model.trace.backwards:
        return False
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    return entry.self_value is not None or any(m.by_name for m in modules)


def _gives_numbers(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether a method of the class that makes the network gives its callers text or numbers only."""
    modules = [o.obj for o in options_of(forward.module) if isinstance(o, Ref)]
    known = bool(modules) and not any(m.by_name for m in modules)
    return known and not acts(model, loop) and only_looked_at(model, forward)


def _site(forward: Forward, loop: Loop) -> cst.CSTNode:
    node, frame = forward.node, forward.frame
    if isinstance(loop.node, cst.FunctionDef):
        # A framework runs the function for every batch.
        return node
    while frame is not loop.frame and frame.caller is not None and frame.call is not None:
        node, frame = frame.call, frame.caller
    return node


_LOADS = frozenset("load_state_dict from_pretrained load_from_checkpoint load_model load_checkpoint".split())


def _is_inference(model: ScriptModel, forward: Forward, loop: Loop, frames: list[Frame]) -> bool:
    """Whether a loop only uses a trained model: its name says so and plain numbers come out of it."""
    if _is_inference_script(model, forward):
        return True
    if not any(naming.infers(f.name) for f in frames) or any(naming.trains(f.name) for f in frames):
        return False
    scope = loop.frame.node if isinstance(loop.frame.node, cst.FunctionDef) else loop.node
    return bool(_PLAIN & {n.value for n in model.walk(scope) if isinstance(n, cst.Name)})


_PLAIN = frozenset(["detach", "numpy", "item", "argmax", "tolist", "topk", "multinomial", "decode"])


def _is_inference_script(model: ScriptModel, forward: Forward) -> bool:
    """Whether the whole file only runs a trained model: weights are loaded, nothing is trained."""
    if (
        model.trace.backwards
        or model.trace.steps
        or (forward.frame.entry and forward.frame.caller is not None)
    ):
        return False
    return bool(_LOADS & model.identifiers) and not any(naming.trains(f.name) for f in forward.frame.chain())


def _single(model: ScriptModel, forward: Forward, escapes: bool) -> Recorded | None:
    """A forward outside loops over batches: only after `.eval()`, and only where no training follows."""
    frame = forward.frame
    if not forward.evaluating or not _calls_eval(model, frame):
        return None
    if isinstance(model.parent(forward.node), cst.Expr):
        # A dry run, of one input: its graph goes at once.
        return None
    if any(f.node is forward.node and not is_wasted(model, f) for f in model.trace.forwards.values()):
        # Another caller runs backward through what this line gives.
        return None
    handed_on = escapes or isinstance(model.parent(forward.node), cst.Return)
    if (handed_on and not naming.evaluates(frame.name)) or _gives_tensors(model, forward):
        return None
    return Recorded(forward, forward.node, None, frame, frame.name, naming.evaluates(frame.name))


def _gives_tensors(model: ScriptModel, forward: Forward) -> bool:
    """Whether the `forward` of a module that nothing here runs returns what the call gives: in which grad
    mode that happens is up to its callers."""
    frame = forward.frame
    if not frame.entry or frame.name != "forward" or not isinstance(frame.self_value, Ref):
        return False
    return frame.self_value.obj.kind == "module" and any(
        isinstance(above, cst.Return) for above in model.ancestors(forward.node)
    )


def _calls_eval(model: ScriptModel, frame: Frame) -> bool:
    """Whether the code of a function or script itself, not of those defined in it, calls `.eval()`."""
    body = frame.node
    own = body if isinstance(body, cst.FunctionDef) else None
    return any(
        isinstance(n, cst.Call)
        and isinstance(n.func, cst.Attribute)
        and n.func.attr.value == "eval"
        and not n.args
        and model.function_of(n) is own
        for n in model.walk(body)
    )


def _frames_inside(frames: list[Frame], loop: Loop | None) -> list[Frame]:
    """The frames from the forward out to the one that runs the loop, which give the evaluation a name."""
    if loop is None:
        return frames[:1]
    inside: list[Frame] = []
    for frame in frames:
        inside.append(frame)
        if frame is loop.frame:
            break
    return inside


def _beside_training(model: ScriptModel, forward: Forward) -> bool:
    """Whether a step goes on to evaluate the module that it has just trained, after `.eval()` on it."""
    if not forward.own_eval or not _calls_eval(model, forward.frame):
        return False
    alike = (f for f in model.trace.forwards.values() if f.module == forward.module)
    others = (f for f in alike if is_differentiated(model, f.ids))
    return any(
        f.frame is forward.frame and model.positions[f.node] < model.positions[forward.node] for f in others
    )


def _steps_elsewhere(model: ScriptModel, forward: Forward, loop: Loop) -> bool:
    """Whether the loop trains in another function, beside one that calls `.eval()` and this forward."""
    steps = [s for s in model.trace.steps.values() if loop in s.loops]
    apart = all(forward.frame not in s.frame.chain() for s in steps)
    return bool(steps) and apart and (_calls_eval(model, forward.frame) or naming.infers(forward.frame.name))


def _calls_eval_before(model: ScriptModel, loop: Loop | None) -> bool:
    """Whether the function that runs the loop calls `.eval()` above it."""
    if loop is None or not isinstance(loop.frame.node, cst.FunctionDef):
        return False
    limit = model.positions[loop.node]
    modes = [
        (model.positions[n], n.func.attr.value)
        for n in model.walk(loop.frame.node)
        if isinstance(n, cst.Call)
        and isinstance(n.func, cst.Attribute)
        and n.func.attr.value in ("eval", "train")
    ]
    before = [mode for mode in sorted(modes) if mode[0] < limit]
    return bool(before) and before[-1][1] == "eval"


def _trains(model: ScriptModel, forward: Forward, loop: Loop | None, evaluates: bool) -> bool:
    """Whether the same iteration trains. An evaluation may differentiate for an attack, but never steps."""
    backwards = model.trace.backwards.values()
    if loop is not None:
        if any(loop in s.loops for s in model.trace.steps.values()):
            return True
        if any(loop in b.loops and b.unseen for b in backwards):
            return True
        return not evaluates and any(loop in b.loops for b in backwards)
    own = _calls_eval(model, forward.frame)
    return any(
        b.frame is forward.frame
        or forward.frame in b.frame.chain()
        or (not own and bool(b.loops) and b.loops[-1] in forward.loops)
        for b in backwards
    )


def _wants_grad(model: ScriptModel, forward: Forward) -> bool:
    """Whether the code around needs gradients in evaluation: attacks, saliency, input optimisation."""
    inside = _frames_inside(forward.frame.chain(), forward.loops[-1] if forward.loops else None)
    scopes: list[cst.CSTNode] = [f.node for f in inside if isinstance(f.node, cst.FunctionDef)] or [
        x.node for x in forward.loops[-1:]
    ]
    return wants_input_gradients(model, scopes)


def _is_frozen(model: ScriptModel, forward: Forward) -> bool:
    """Whether the function above the forward takes the gradients from all weights of what it runs, or
    the network was told to do so itself: `net.freeze()`."""
    told = (o for o in model.trace.opaque_calls.values() if hints.FREEZES_ALL.match(o.name))
    frozen = frozenset().union(*(o.objects for o in told))
    run = {option.obj.id for option in options_of(forward.module) if isinstance(option, Ref)}
    if run and run <= frozen:
        return True
    if not isinstance(forward.frame.node, cst.FunctionDef):
        return False
    used = {n.value for n in model.walk(forward.node) if isinstance(n, cst.Name)}
    return any(
        model.positions[node] < model.positions[forward.node] and owner in used
        for node in model.walk(forward.frame.node)
        if (owner := _frozen_owner(node))
    )


def _frozen_owner(node: cst.CSTNode) -> str:
    """`net` of `for p in net.parameters(): p.requires_grad = False` and of `net.requires_grad_(False)`."""
    if type(node) is cst.For and type(node.iter) is cst.Call and not node.iter.args:
        path = dotted(node.iter.func)
        body = statements(node.body)
        line = body[0] if len(body) == 1 else None
        part = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else line
        return path.removesuffix(".parameters") if path.endswith(".parameters") and _freezes(part) else ""
    return _given_no_gradients(node)


def _freezes(statement: cst.CSTNode | None) -> bool:
    """Whether a statement is `p.requires_grad = False` or `p.requires_grad_(False)`."""
    if isinstance(statement, cst.Assign):
        target = statement.targets[0].target
        sets = isinstance(target, cst.Attribute) and target.attr.value == "requires_grad"
        return sets and literal(statement.value) is False
    return bool(_given_no_gradients(statement))


def _given_no_gradients(statement: cst.CSTNode | None) -> str:
    """`net` of the statement `net.requires_grad_(False)`."""
    call = statement.value if isinstance(statement, cst.Expr) else None
    if not isinstance(call, cst.Call) or len(call.args) != 1 or literal(call.args[0].value) is not False:
        return ""
    path = dotted(call.func)
    return path.removesuffix(".requires_grad_") if path.endswith(".requires_grad_") else ""


def _has_metrics(model: ScriptModel, loop: Loop) -> bool:
    """Whether the loop computes accuracies or collects predictions."""
    names = {n.value for n in model.walk(loop.node) if isinstance(n, cst.Name)}
    return bool(
        names
        & {"argmax", "correct", "accuracy", "preds", "predictions", "predicted", "topk", "confusion_matrix"}
    )


def _manages_evaluation(model: ScriptModel) -> bool:
    """Whether grad mode is switched off for the whole file."""
    if "set_grad_enabled" not in model.identifiers:
        return False
    for statement in model.module.body:
        for node in model.walk(statement):
            if (
                isinstance(node, cst.Call)
                and dotted(node.func).endswith("set_grad_enabled")
                and isinstance(model.parent(node), cst.Expr)
                and node.args
                and literal(node.args[0].value) is False
                and model.function_of(node) is None
            ):
                return True
    return False


def is_managed(model: ScriptModel, frame: Frame) -> bool:
    """Whether a framework calls this code: a method of a LightningModule, a Trainer, a Keras class."""
    for active in frame.chain():
        owner = model.owner_class(active)
        if owner is not None and is_driven(model, owner):
            return True
    return False


def _is_training_function(forward: Forward) -> bool:
    name = forward.frame.name
    return naming.trains(name) and not naming.evaluates(name) and not forward.evaluating
