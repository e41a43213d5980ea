"""Whether one more hook is registered again and again on a module that lives on."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.control_flow import Leave, early_exits
from memlint.analysis.facts import Loop
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loops import is_epochs
from memlint.detect.retention.registrations import Registration
from memlint.syntax.expressions import mentions, place, same, speaks_of
from memlint.syntax.tree import header_of, root_name


def piles_up(model: ScriptModel, found: Registration) -> bool:
    """Whether a module that lives on gets one more hook each time, and nothing ever removes one."""
    if found.is_tensor_hook or _removes(model, found):
        return False
    holder = model.parent(found.call)
    if isinstance(holder, cst.WithItem):
        return False
    function = model.function_of(found.call)
    if function is not None and function.name.value in ("forward", "training_step", "validation_step"):
        return root_name(found.call.func) == "self" and not _is_guarded(model, found.call, function)
    for event in found.events:
        for loop in event.loops:
            over_modules = speaks_of(header_of(loop.node), hints.LOOP_OVER_MODULES)
            if isinstance(loop.node, cst.CompFor) or (over_modules and not is_epochs(loop)):
                continue
            if not (is_epochs(loop) or _works(model, loop)):
                continue
            if not _is_younger(model, found, loop.node) and not _is_guarded(model, found.call, loop.node):
                return True
    return False


def _works(model: ScriptModel, loop: Loop) -> bool:
    """Whether passes are made in a loop, forward or backward: else it only sets things up."""
    trace = model.trace
    events = (*trace.forwards.values(), *trace.backwards.values(), *trace.steps.values())
    return any(loop in event.loops for event in events)


def _removes(model: ScriptModel, found: Registration) -> bool:
    own = model.owns(found.call)
    calls = model.names.calls if own else model.every(cst.Call, model.root_of(found.call))
    return "remove_hook" in model.text or any(
        isinstance(c.func, cst.Attribute)
        and c.func.attr.value in ("remove", "close", "remove_hooks")
        and not c.args
        for c in calls
    )


def _is_younger(model: ScriptModel, found: Registration, loop: cst.CSTNode) -> bool:
    """Whether the module that is hooked is made in the loop, or is one that it runs through: `blocks[i]`."""
    name = root_name(found.call.func) or "?"
    for node in model.walk(loop):
        if isinstance(node, cst.AssignTarget) and root_name(node.target) == name and name != "self":
            return True
    target = loop.target if isinstance(loop, (cst.For, cst.CompFor)) else None
    return target is not None and mentions(found.call.func, *model.names_in(target))


def _is_guarded(model: ScriptModel, call: cst.Call, top: cst.CSTNode) -> bool:
    """Whether a condition lets the registration happen only once or now and then.

    What chooses among modules on the way through them (`if isinstance(module, nn.Conv2d)`) is no such one.
    """
    tests: list[cst.BaseExpression] = []
    below: cst.CSTNode = call
    for above in model.ancestors(call):
        if above is top:
            break
        if isinstance(above, cst.If):
            tests.append(above.test)
        elif isinstance(above, cst.IndentedBlock):
            exits = early_exits(model, above, below, Leave.RETURN | Leave.CONTINUE)
            tests += [exit.test for exit in exits if _is_set_here(model, exit.test, call)]
        elif isinstance(above, cst.For):
            walked = model.names_in(above.target)
            tests = [test for test in tests if not mentions(test, *walked)]
        below = above
    return bool(tests) or _is_known_by_key(model, call)


def _is_set_here(model: ScriptModel, test: cst.BaseExpression, call: cst.Call) -> bool:
    """Whether a condition asks for a flag or a list that the function of a call sets or fills."""
    asked = {place(node) for node in model.walk(test)} - {"", "self"}
    function = model.function_of(call)
    for node in model.walk(function.body) if function is not None else ():
        if isinstance(node, cst.AssignTarget) and place(node.target) in asked:
            return True
        if isinstance(node, cst.Attribute) and node.attr.value == "append" and place(node.value) in asked:
            return True
    return False


def _is_known_by_key(model: ScriptModel, call: cst.Call) -> bool:
    """Whether a condition asks for a key that is in a container once the hook has run: what the hook, or the
    code beside its registration, puts in."""
    for above in model.ancestors(call):
        test = above.test if isinstance(above, cst.If) else None
        if isinstance(test, cst.Comparison) and isinstance(test.comparisons[0].operator, cst.NotIn):
            box = test.comparisons[0].comparator
            if isinstance(box, cst.Call) and isinstance(box.func, cst.Attribute):
                box = box.func.value
            if any(_fills(n.target, box) for n in model.every(cst.AssignTarget, model.root_of(call))):
                return True
    return False


def _fills(target: cst.BaseExpression, box: cst.BaseExpression) -> bool:
    """Whether an assignment puts an element into a container: `features[name] = output`."""
    return isinstance(target, cst.Subscript) and same(target.value, box)
