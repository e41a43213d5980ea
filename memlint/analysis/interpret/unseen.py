"""Calls into code that is not in the file."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Opaque
from memlint.analysis.interpret.backwards import backward
from memlint.analysis.interpret.containers import graded
from memlint.analysis.interpret.contents import argument_ids, argument_kind, deep_ids, owned_by
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.knowledge import data_hints, hints, naming
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.values import (
    NO_IDS,
    SCALAR,
    Frame,
    Function,
    Items,
    Kind,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    ids_of,
    options_of,
    truth,
)
from memlint.syntax.expressions import UNKNOWN, literal
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted, last_name


def unseen_call(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """A call into code that is not in the file: the name and the arguments tell what to expect."""
    note_opaque(machine, name, args, keywords, node)
    through = data_hints.GOES_THROUGH.search(name) is not None
    if through and args and _is_loader(args[0]) and _is_iterated(machine, node):
        # A progress bar of another kind: `bar(loader)`, `logger.log_every(loader, 10)`.
        return args[0]
    kind = argument_kind(machine, args, keywords)
    ids = argument_ids(machine, args, keywords)
    if truth(keywords.get("volatile", SCALAR)) is True:
        return Unknown(NO_IDS, machine.here(node), hint="volatile")
    if any(isinstance(o, Params) for v in (*args, *keywords.values()) for o in options_of(v)):
        return machine.unknown(node)
    if naming.differentiating_call(name) and not machine.quiet and not _acts_in_environment(node):
        roots = Items(tuple(v for v in (*args, *keywords.values()) if isinstance(v, (Tensor, Unknown))))
        if ids_of(roots):
            doubtful = _inputs(machine, name, args, node)
            backward(machine, node, roots, retains=False, fills=False, unseen=True, doubtful=doubtful)
    if kind is not None and kind >= Kind.MAYBE:
        if naming.detaching_call(name):
            return SCALAR
        if naming.loss_call(name):
            return machine.tensor(graded(machine, kind), node, ids, "unseen", opaque=True)
        if naming.numeric_call(name):
            return Scalar()
        if naming.restructuring_call(name):
            made = machine.tensor(graded(machine, kind), node, ids, "unseen", opaque=True, lightweight=True)
            machine.trace.restructured |= made.ids
            return made
        result: Value = machine.tensor(graded(machine, Kind.MAYBE), node, ids, "unseen", opaque=True)
    else:
        result = machine.unknown(node, ids, hint=table_hint(name, node))
        if name == "step" and _acts_in_environment(node):
            machine.trace.environment_answers |= ids_of(result)
        if lib.UNSEEN_DECODING.match(name):
            machine.inferred |= result.ids
    machine.trace.maybe_detached |= ids_of(result)
    if _runs_a_network(machine, args, keywords):
        machine.trace.given_callables.update(dict.fromkeys(ids_of(result), machine.loops))
    if not ids and (naming.gives_data(name) or name in lib.ARITHMETIC_METHODS):
        machine.trace.graph_leaves |= ids_of(result)
    return result


def table_hint(name: str, node: cst.CSTNode) -> str:
    """The hint for what a method gives: "entry" where it asks a table for a key that is not written out."""
    keys = node.args[:1] if name == "get" and isinstance(node, cst.Call) else ()
    return "entry" if keys and literal(keys[0].value) is UNKNOWN else ""


def unread_call(
    machine: Machine, called: str | Frame, name: str, args: Args, keywords: Keywords, node: cst.CSTNode
) -> Value:
    """A call of a function that may be one of the project and is not run."""
    return without_graphs(machine, called, name, unseen_call(machine, name, args, keywords, node))


def without_graphs(machine: Machine, called: str | Frame | None, name: str, made: Value) -> Value:
    """What a call that is not run gives: beside what is known of all such calls, the text of the function, or
    that of all methods of its name in the project, tells which of its results have left their graph."""
    detached = machine.detached_results(called, name) if ids_of(made) else ()
    if not any(detached):
        return made
    parts = tuple(SCALAR if left else made for left in detached)
    return parts[0] if len(parts) == 1 else Items(parts)


def unrun_backward(
    machine: Machine, function: Function, args: Args, keywords: Keywords, node: cst.CSTNode
) -> None:
    """Note that a function in view, which the run has no time for, may differentiate what it is given: its
    text calls `backward` or `autograd.grad`."""
    names = _names_of(machine, function)
    if machine.quiet or machine.state is None or names is None:
        return
    if not any(differentiates(names, call) for call in names.every(cst.Call, function.node)):
        return
    given = tuple(v for v in (*args, *keywords.values()) if isinstance(v, (Tensor, Unknown)))
    roots = Items(given)
    if ids_of(roots):
        backward(machine, node, roots, retains=True, fills=False, unseen=True)


def _names_of(machine: Machine, function: Function) -> Names | None:
    """The names of the module that a function is written in; None where that is none of those at hand, as for
    a lambda in the body of a class, which is made when an object of it is, from whichever module."""
    frame = function.frame
    near = (frame.names, frame.root().names, machine.names, machine.home)
    return next((names for names in near if names is not None and names.holds(function.node)), None)


def differentiates(names: Names, call: cst.Call) -> bool:
    """Whether a call runs backward or gives derivatives: `loss.backward()`, `torch.autograd.grad(...)`."""
    return last_name(call.func) == "backward" or names.one(call.func).startswith(_DERIVATIVES)


_DERIVATIVES = ("torch.autograd.grad", "torch.autograd.functional.", "torch.func.grad", "torch.func.jac")


def _inputs(machine: Machine, name: str, args: Args, node: cst.CSTNode) -> frozenset[int]:
    """The arguments of a call such as `agent.learn(batch)` that may as well be data to learn from as a loss:
    nothing computed them in view, and no name tells."""
    if "backward" in name or not isinstance(node, cst.Call):
        return NO_IDS
    unnamed = (
        v for v, a in zip(args, node.args, strict=False) if not hints.LOSS_VARIABLE.search(last_name(a.value))
    )
    unknown = (o for value in unnamed for o in options_of(value) if isinstance(o, Unknown))
    return frozenset(n for o in unknown for n in o.ids if not machine.trace.parents.get(n))


def _runs_a_network(machine: Machine, args: Args, keywords: Keywords) -> bool:
    """Whether a function out of view gets a network and what may be its batch: `compute_loss(net, batch)`."""
    given = (*args, *keywords.values())
    networks = [v for v in given if any(isinstance(o, Ref) and o.obj.kind == "module" for o in options_of(v))]
    return bool(networks) and len(networks) < len(given)


def _acts_in_environment(node: cst.CSTNode) -> bool:
    """Whether a call is one of an environment: `env.backward_step(states)` goes back in an episode."""
    func = node.func if isinstance(node, cst.Call) else None
    return isinstance(func, cst.Attribute) and naming.environment(dotted(func.value))


def _is_loader(value: Value) -> bool:
    return any(isinstance(option, Ref) and option.obj.kind == "loader" for option in options_of(value))


def _is_iterated(machine: Machine, node: cst.CSTNode) -> bool:
    """Whether a loop goes through what an expression gives, counted or not."""
    above = machine.names.parents.get(node)
    if isinstance(above, cst.Arg):
        call = machine.names.parents.get(above)
        counted = isinstance(call, cst.Call) and machine.names.one(call.func) == "builtins.enumerate"
        return counted and call is not None and _is_iterated(machine, call)
    return isinstance(above, (cst.For, cst.CompFor)) and above.iter is node


def note_opaque(machine: Machine, name: str, args: Args, keywords: Keywords, node: cst.CSTNode) -> None:
    """Write down which objects a call hands to code that cannot be seen. Functions are called back, and
    what they return gets out to it: `minimize(lambda x: net(x).sum(), start)` may differentiate that."""
    objects = set()
    calls_back = not name.startswith("functools.")
    for value in (*args, *keywords.values()):
        for option in options_of(value):
            if isinstance(option, Ref):
                objects.add(option.obj.id)
            elif isinstance(option, Params):
                objects |= option.owners
            elif isinstance(option, Function) and option.frame.lexical is not None and calls_back:
                given = machine.invoke(option, [], {}, node)
                machine.trace.escaped |= machine.trace.ancestors(deep_ids(machine, given))
    reaches = owned_by(machine, (*args, *keywords.values()))
    if objects or reaches:
        event = Opaque(
            node=node,
            frame=machine.frame,
            loops=machine.loops,
            name=name,
            objects=frozenset(objects),
            reaches=reaches,
        )
        machine.record(machine.trace.opaque_calls, event)
