"""Backward, step and zero_grad: of optimizers, scalers, engines and what is named like one."""

from __future__ import annotations

import re
from functools import partial

import libcst as cst

from memlint.analysis.facts import ScalerCall, Step, Zero
from memlint.analysis.interpret.backwards import backward
from memlint.analysis.interpret.contents import deep_ids, owners_in
from memlint.analysis.interpret.engines import run_batches
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.precision import precision_of
from memlint.analysis.knowledge import naming
from memlint.analysis.knowledge.libraries import OPTIMIZER_PATHS
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Const,
    Context,
    Function,
    Items,
    Method,
    Obj,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    kind_of,
    options_of,
    truth,
)

_PREPARING = frozenset(
    "prepare prepare_model prepare_optimizer prepare_data_loader "
    "setup setup_module setup_dataloaders setup_optimizers".split()
)


def retains(keywords: Keywords) -> bool:
    """Whether a backward with these keywords leaves saved tensors of the graph alive."""
    flags = ("retain_graph", "create_graph", "inputs", "retain_variables")
    return any(
        truth(keywords[name]) is not False for name in flags if name in keywords and keywords[name] != NONE
    )


def backward_method(
    machine: Machine, owner: Value, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """`loss.backward()`, or `engine.backward(loss)` where the owner is no tensor."""
    if isinstance(owner, Scalar) and owner.what == "warp":
        return NONE  # `tape.backward(loss)` of a library that keeps gradients of its own
    by_engine = (
        isinstance(owner, Ref)
        or (isinstance(owner, Method) and args)
        or (isinstance(owner, Unknown) and args and kind_of(args[0]) is not None)
    )
    root = args[0] if by_engine and args else owner
    # Anything but a flag is an argument of somebody else's backward: a module, an optimizer.
    if not by_engine and len(args) > 1 and all(isinstance(flag, Const) for flag in args[1:3]):
        keywords = dict(zip(("retain_graph", "create_graph", "inputs"), args[1:], strict=False)) | keywords
    keeps_graph = retains(keywords)
    by_deepspeed = isinstance(owner, Ref) and owner.obj.kind == "engine" and owner.obj.path == "deepspeed"
    fills = not (by_deepspeed or (not isinstance(owner, Tensor) and _gives_gradients(machine, node)))
    backward(machine, node, root, retains=keeps_graph, fills=fills, options=keywords)
    return NONE


def _gives_gradients(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether something is done with what a backward gives: one by hand gives gradients, torch's nothing."""
    above = machine.names.parents.get(node)
    return isinstance(above, (cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.Arg, cst.For, cst.ListComp))


def zero_method(machine: Machine, func: Method, node: cst.CSTNode) -> Value:
    """`zero_grad()` of an optimizer, a module, parameters, or what is named like an optimizer."""
    owner = func.owner
    target: Obj | None = None
    owners: frozenset[int] = NO_IDS
    if isinstance(owner, Ref):
        target = owner.obj
    elif isinstance(owner, Params):
        owners = owner.owners
    elif func.name != "optimizer_zero_grad":
        target = _known_by_code(machine, func.code.rpartition(".")[0] or func.code)
    event = Zero(node=node, frame=machine.frame, loops=machine.loops, target=target, owners=owners)
    machine.record(machine.trace.zeros, event, target.id if target else 0)
    return NONE


def zero_parameters(machine: Machine, node: cst.CSTNode, owners: frozenset[int]) -> None:
    """Gradients of loose parameters were cleared: `p.grad = None`, `p.grad.zero_()`."""
    event = Zero(node=node, frame=machine.frame, loops=machine.loops, target=None, owners=owners)
    machine.record(machine.trace.zeros, event)


def _known_by_code(machine: Machine, code: str) -> Obj:
    """An optimizer for `self.optimizers["D"]` and the like, known by its code only."""
    return machine.obj("optimizer", None, "code", code, name=code, by_name=True)


def step(
    machine: Machine,
    optimizer: Obj,
    node: cst.CSTNode,
    code: str,
    args: Args,
    *,
    scaler: bool = False,
) -> Value:
    """`optimizer.step()`: run a closure if one is given, then note the step."""
    result: Value = NONE
    closures = [arg for arg in args if isinstance(arg, Function)]
    own = _own_step(machine) if closures and optimizer.by_name else None
    if own is not None:
        result = machine.call(own, [closures[0]], {}, node)
    else:
        for closure in closures:
            result = _run_closure(machine, optimizer, closure, node, code)
    _note_half_step(machine, optimizer)
    event = Step(
        node=node,
        frame=machine.frame,
        loops=machine.loops,
        optimizer=optimizer,
        code=code,
        through_scaler=scaler,
        fresh=_fresh(machine, optimizer),
    )
    machine.record(machine.trace.steps, event, optimizer.id)
    return result


def _run_closure(machine: Machine, optimizer: Obj, closure: Function, node: cst.CSTNode, code: str) -> Value:
    """Run a closure, as LBFGS does in one step: up to `max_iter` times, of which a script that steps once
    expects its whole training. The weights change after each of them."""
    results: list[Value] = []
    run = partial(machine.call, closure, [], {}, node)
    if machine.loops or not optimizer.path.endswith(".LBFGS"):
        return run()

    def change(result: Value) -> None:
        results.append(result)
        event = Step(node=node, frame=machine.frame, loops=machine.loops, optimizer=optimizer, code=code)
        machine.record(machine.trace.steps, event, optimizer.id)

    run_batches(machine, closure.node, run, change, "closure")
    return results[-1] if results else NONE


def _own_step(machine: Machine) -> Value | None:
    """The step of the only optimizer class in view that has its own, as sharpness-aware ones do: an optimizer
    known by its name may be one of them, and its step gives what it likes and may clear gradients."""
    found = [
        (made, method)
        for made in machine.classes.values()
        if any(map(OPTIMIZER_PATHS.match, made.info.ancestry()))
        and (method := made.info.find("step")) is not None
    ]
    if len(found) != 1:
        return None
    made, (definition, frame) = found[0]
    function = Function(definition, frame, machine.symbolic_instance(made))
    return machine.decorate(function, definition)


def _fresh(machine: Machine, optimizer: Obj) -> frozenset[int]:
    """The running loops in whose present iteration the optimizer and its modules were made."""
    assert machine.state is not None
    owners = {optimizer.id} | owners_in(machine, optimizer.args.values())
    found = {loop.id for loop in machine.loops}
    for owner in owners:
        slot = machine.state.vars.get((owner, "#born"))
        if slot is not None:
            found &= {loop.id for loop in slot[1]}
        elif owner == optimizer.id:
            return NO_IDS
    return frozenset(found)


def _note_half_step(machine: Machine, optimizer: Obj) -> None:
    """Remember steps on modules whose parameters are in half precision now."""
    if machine.quiet or machine.state is None:
        return
    owners = set(owners_in(machine, optimizer.args.values()))
    if optimizer.by_name:
        owners = {o for number, o in machine.trace.half_outputs.items() if number in machine.state.reached}
    for owner in owners:
        if truth(machine.read((owner, "#frozen")) or Const(False)) is True:
            continue
        for dtype, cast in precision_of(machine, owner):
            machine.trace.half_steps.setdefault((cast, owner), (dtype, optimizer))


_SCALING = frozenset({"scale", "unscale_", "step", "update"})


def scaler_method(machine: Machine, scaler: Obj, func: Method, args: Args, node: cst.CSTNode) -> Value:
    """`scaler.scale(loss)`, `scaler.unscale_(optimizer)`, `scaler.step(optimizer)`, `scaler.update()`."""
    name = func.name
    if name in _SCALING:
        stepped = [o.obj for o in options_of(args[0]) if isinstance(o, Ref)] if args else []
        event = ScalerCall(
            node=node, frame=machine.frame, loops=machine.loops, name=name, scaler=scaler,
            code=func.code.rpartition(".")[0], optimizer=stepped[0] if len(stepped) == 1 else None,
        )  # fmt: skip
        machine.record(machine.trace.scalers, event)
    if name == "scale" and args:
        return _scaled(machine, args[0], node)
    if name == "step" and args:
        code = machine.code(node.args[0].value) if isinstance(node, cst.Call) and node.args else ""
        for option in options_of(args[0]):
            obj = option.obj if isinstance(option, Ref) else _known_by_code(machine, code)
            if obj.kind == "optimizer":
                step(machine, obj, node, code, args[1:], scaler=True)
    if name == "is_enabled":
        return scaler.args.get("enabled", SCALAR)
    return NONE if name in _SCALING else SCALAR


def _scaled(machine: Machine, value: Value, node: cst.CSTNode) -> Value:
    ids = deep_ids(machine, value)
    kind = kind_of(value)
    result: Tensor | Unknown = machine.unknown(node, ids, lightweight=True)
    if kind is not None:
        result = machine.tensor(kind, node, ids, "scaled", lightweight=True)
    machine.trace.scaled |= result.ids
    return result


def named_scaler(machine: Machine, func: Method) -> Obj | None:
    """A scaler known by its code only: `self.scalers["D"].scale(loss)`."""
    code = func.code.rpartition(".")[0]
    if func.name not in _SCALING or "scaler" not in code.lower():
        return None
    return machine.obj("scaler", None, "code", code, name=code, by_name=True)


def engine_method(machine: Machine, func: Method, args: Args) -> Value | None:
    """The result of a method of an Accelerator, Fabric or the like; None when it is not known."""
    name = func.name
    if name in _PREPARING:
        return args[0] if len(args) == 1 else Items(tuple(args))
    if name in ("gather", "gather_for_metrics", "reduce", "pad_across_processes"):
        return args[0] if args else SCALAR
    if name == "no_grad":
        return Context("off")
    if name in ("autocast", "accumulate", "no_sync", "step", "clip_grad_norm_"):
        return SCALAR
    if name in ("eval", "train") and machine.state is not None and isinstance(func.owner, Ref):
        machine.state.evals = machine.state.evals | {func.owner.obj.id} if name == "eval" else NO_IDS
        return func.owner
    return SCALAR if name == "parameters" else None


def unknown_step(machine: Machine, func: Method, args: Args, node: cst.CSTNode) -> Value | None:
    """`x.step()` of an unknown `x`: an optimizer's where a part of its code is named like one.

    None for a step that makes a tensor of tensors, such as that of a diffusion's schedule: any other call.
    """
    code = func.code.rpartition(".")[0]
    words = [w for w in re.split(r"[.\[(]", re.sub(r"[\])]", "", code)) if w]
    named = any(naming.role(w.strip("'\"")) == "optimizer" for w in words)
    if not named or naming.schedule(code):
        acts = naming.environment(code)
        if not acts and _is_used(machine, node) and any(kind_of(arg) is not None for arg in args):
            return None
        given = machine.unknown(node)
        if acts:
            machine.trace.environment_answers |= given.ids
        return given
    without_closures: Args = [arg for arg in args if not isinstance(arg, Function)]
    return step(machine, _known_by_code(machine, code), node, code, without_closures)


def _is_used(machine: Machine, call: cst.CSTNode) -> bool:
    """Whether something is done with what a call gives."""
    return not isinstance(machine.names.parents.get(call), cst.Expr)


def configured_optimizers(machine: Machine, node: cst.CSTNode) -> Value | None:
    """What `self.optimizers()` of a LightningModule gives: the optimizers of its `configure_optimizers`.

    One of them as it is, several in a row, as Lightning does; None for every other call. Source:
    https://lightning.ai/docs/pytorch/stable/model/manual_optimization.html
    """
    func = node.func if isinstance(node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or func.attr.value != "optimizers":
        return None
    owner = machine.evaluate(func.value)
    found = owner.obj.cls.find("configure_optimizers") if isinstance(owner, Ref) and owner.obj.cls else None
    if not isinstance(owner, Ref) or found is None:
        return None
    if owner.obj.id not in machine.configured:
        machine.configured[owner.obj.id] = NONE
        loops, machine.loops = machine.loops, ()
        given = machine.invoke(Function(found[0], found[1], owner), [], {}, found[0])
        machine.loops = loops
        optimizers = _optimizers_in(machine, given)
        machine.configured[owner.obj.id] = optimizers[0] if len(optimizers) == 1 else Items(tuple(optimizers))
    made = machine.configured[owner.obj.id]
    return made if isinstance(made, Ref) or (isinstance(made, Items) and made.items) else None


def _optimizers_in(machine: Machine, value: Value) -> list[Value]:
    """The optimizers in an answer of `configure_optimizers`, in their order, without the schedulers."""
    if isinstance(value, Items):
        return [found for item in value.items for found in _optimizers_in(machine, item)]
    if not isinstance(value, Ref):
        return []
    if value.obj.kind == "optimizer":
        return [value]
    if value.obj.kind == "dict":
        return _optimizers_in(machine, machine.read((value.obj.id, "['optimizer']")) or NONE)
    if value.obj.kind == "list":
        return [found for _, inner in machine.entries(value.obj) for found in _in_list(machine, inner)]
    return []


def _in_list(machine: Machine, content: Value) -> list[Value]:
    """The same for what a list holds, whose elements are known together."""
    return [found for option in options_of(content) for found in _optimizers_in(machine, option)]
