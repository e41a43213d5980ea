"""Which loops are training loops and which are evaluation loops.

A StepLoop is the innermost loop around a backward; an EvalLoop runs forward passes over batches without
one. Both are questions to the events of the run, so helpers and methods are seen through.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.facts import Backward, Loop
from memlint.analysis.knowledge import data_hints, hints, naming
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.trace import Trace
from memlint.analysis.values import Frame, Ref, Value, iterated
from memlint.syntax.tree import dotted, root_name, walk

_TEXTS = pattern(r"\"[^\"]*\"|'[^']*'")
_KEYS = pattern(r"(?<=[\w)\]])\[[^\[\]:]*\]")


def is_micro_loop(trace: Trace, loop: Loop, loops: tuple[Loop, ...]) -> bool:
    """Whether a loop only gathers gradients or loss terms for a step that an outer loop takes.

    `loops` are the loops that were running, outermost first.
    """
    outer = loops[: loops.index(loop)]
    if any(loop in s.loops for s in trace.steps.values()) or has_data_of_its_own(loop, outer):
        return False
    events = (*trace.steps.values(), *trace.backwards.values())
    return any(e.loops and e.loops[-1] in outer and loop not in e.loops for e in events)


def has_data_of_its_own(loop: Loop, outer: tuple[Loop, ...]) -> bool:
    """Whether a loop goes through a loader while an outer one goes through the batches of another: training
    that stops to evaluate."""
    inner = loop.node.iter if isinstance(loop.node, (cst.For, cst.CompFor)) else None
    around = [x.node for x in outer if over_loader(x)]
    targets = [node.target for node in around if isinstance(node, (cst.For, cst.CompFor))]
    if inner is None or not targets or not over_loader(loop):
        return False
    given = {n.value for target in targets for n in walk(target) if isinstance(n, cst.Name)}
    # `for name, loader in loaders.items()` gives no batch, but what gives them.
    given = {name for name in given if not data_hints.LOADER_VARIABLE.search(name)}
    return given.isdisjoint(n.value for n in walk(inner) if isinstance(n, cst.Name))


def gathers_for_step(trace: Trace, loop: Loop) -> bool:
    """Whether a loop goes by its words through the parts of one batch, and its function steps behind it; who
    runs micro-batches does so for a step that may be taken elsewhere."""
    steps = trace.steps.values()
    if any(loop in s.loops for s in steps) or over_loader(loop) or not hints.MICRO_BATCH.search(loop.source):
        return False
    if "microbatch" in loop.source.lower().replace("_", ""):
        return True
    return any(s.frame is loop.frame and s.loops == loop.outer for s in steps)


@cached
def batch_loops(model: ScriptModel) -> dict[Loop, str]:
    """The loops each of whose iterations is one step: "training", or one forward pass: "evaluation"."""
    return dict(_batch_loops(model))


def _batch_loops(model: ScriptModel) -> Iterator[tuple[Loop, str]]:
    trace = model.trace
    backwards = [b for b in trace.backwards.values() if b.loops and not b.unseen]
    for forward in trace.forwards.values():
        for place, loop in reversed(list(enumerate(forward.loops))):
            direct = loop is forward.loops[-1] and _is_evaluation(trace, loop, forward.grad == "off")
            if (direct or over_loader(loop)) and not any(loop in b.loops for b in backwards):
                yield loop, "evaluation"
            if has_data_of_its_own(loop, forward.loops[:place]):
                # Each iteration of what is around it goes through a whole data set.
                break
    for backward in backwards:
        for loop in reversed(backward.loops):
            yield loop, "training"
            if not is_micro_loop(trace, loop, backward.loops):
                break


def _is_evaluation(trace: Trace, loop: Loop, without_gradients: bool) -> bool:
    """Whether a loop with a forward pass, though over no loader, is one of a script or an evaluation."""
    if not over_batches(trace, loop) or is_epochs(loop):
        return False
    name = loop.frame.name
    return without_gradients or name in ("<module>", "main") or naming.evaluates(name) or naming.infers(name)


def in_training(trace: Trace, backward: Backward) -> bool:
    """Whether a backward belongs to a training step rather than to a test or a single demonstration."""
    frames = backward.frame.chain()
    if any(frame.name.startswith("test_") for frame in frames):
        return False
    steps = trace.steps.values()
    return bool(backward.loops) or any(set(step.frame.chain()) & set(frames[:-1]) for step in steps)


def over_batches(trace: Trace, loop: Loop) -> bool:
    """Whether a loop goes through batches: it iterates a loader, or it is the outermost with a forward."""
    if loop not in trace.batch_loops:
        trace.batch_loops[loop] = _goes_through_batches(trace, loop)
    return trace.batch_loops[loop]


def _goes_through_batches(trace: Trace, loop: Loop) -> bool:
    if _over_modules(trace, loop):
        return False
    if over_loader(loop):
        return True
    for forward in trace.passes():
        if loop in forward.loops:
            inner = [x for x in forward.loops if _loader_like(x.iterates) or _loader_words(x.source)]
            if not inner:
                return not any(
                    loop is not x and x in forward.loops[: forward.loops.index(loop)] and not is_epochs(x)
                    for x in forward.loops
                )
    return False


def in_forward(trace: Trace, loop: Loop) -> bool:
    """Whether a loop runs within the forward pass of a network: through its layers, not over steps."""
    return not any(loop in step.loops for step in trace.steps.values()) and any(
        f.name == "forward" and isinstance(f.self_value, Ref) and f.self_value.obj.kind == "module"
        for f in loop.frame.chain()
    )


@cached
def acts(model: ScriptModel, loop: Loop) -> bool:
    """Whether a loop steps an environment: each graph there is small and soon gone."""
    calls = (dotted(n.func) for n in model.walk(loop.node) if isinstance(n, cst.Call))
    return any(c.endswith(".step") and naming.environment(c.removesuffix(".step")) for c in calls)


def over_loader(loop: Loop) -> bool:
    """Whether the loop goes through a loader or data set, by its value or its name."""
    return _loader_like(loop.iterates) or _loader_words(loop.source)


def _over_modules(trace: Trace, loop: Loop) -> bool:
    """Whether the loop goes through modules and calls each: `[net(x) for net in nets]`."""
    target = loop.node.target if isinstance(loop.node, (cst.For, cst.CompFor)) else None
    names = {n.value for n in walk(target) if isinstance(n, cst.Name)} if target is not None else set()
    if isinstance(loop.node, cst.For):
        # `net = entry["net"]`: what an item holds is called.
        entries = (n for n in walk(loop.node.body) if isinstance(n, cst.Assign))
        held = (n for n in entries if isinstance(n.value, (cst.Subscript, cst.Attribute)))
        names |= {dotted(t.target) for n in held if root_name(n.value) in names for t in n.targets}
    return any(
        loop in f.loops and f.code.partition(".")[0].partition("[")[0] in names
        for f in trace.forwards.values()
    )


def is_epochs(loop: Loop) -> bool:
    """Whether a loop counts epochs, folds, phases or trials rather than batches."""
    # What a progress bar is to show says nothing, `tqdm(loader, desc=f"epoch {n}")`, and neither does the key
    # of what is gone through: `loaders[phase]`.
    text = f"{_target(loop)} {_KEYS.sub('', _TEXTS.sub('', loop.source))}".lower()
    return any(word in text for word in ("epoch", "fold", "phase", "trial", "round", "split", "stage"))


def repeats_runs(loop: Loop) -> bool:
    """Whether a loop counts what is done all over again a few times: folds, restarts or trials."""
    text = f"{_target(loop)} {loop.source if loop.source.startswith('range(') else ''}".lower()
    return any(word in text for word in ("fold", "trial", "restart"))


def _target(loop: Loop) -> str:
    """The names that a loop binds, with spaces between them."""
    if not isinstance(loop.node, cst.For):
        return ""
    return " ".join(n.value for n in walk(loop.node.target) if isinstance(n, cst.Name))


def _loader_like(value: Value | None) -> bool:
    return value is not None and any(obj.kind in ("loader", "dataset") for obj in iterated(value))


def _loader_words(source: str) -> bool:
    words = (
        source.replace("(", " ")
        .replace(")", " ")
        .replace(".", " ")
        .replace("[", " ")
        .replace("]", " ")
        .replace(",", " ")
        .split()
    )
    counts = source.startswith("range(")
    if "zip" in words and any(hints.OF_ONE_PASS.search(word) for word in words):
        return False  # what one pass gave at each level, side by side
    return any(naming.role(w) == "loader" and not (counts and hints.COUNT_PREFIX.match(w)) for w in words)


def evaluates(loop: Loop | None, frames: list[Frame]) -> str:
    """The word that says that this is an evaluation: of the loop's source or of a function; "" for none."""
    if loop is not None and naming.evaluates(loop.source) and not naming.trains(loop.source):
        return loop.source
    for frame in frames:
        name = frame.name
        if naming.trains(name) and not naming.evaluates(name):
            return ""
        if naming.evaluates(name):
            return name
    return ""
