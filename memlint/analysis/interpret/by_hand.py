"""Forward passes without a module: products of data with trained parameters, `rows @ self.weight`."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.facts import Forward
from memlint.analysis.interpret.contents import deep_ids
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.values import Kind, Params, Ref, Tensor, Unknown, Value, options_of

PRODUCTS = frozenset("matmul mm bmm addmm mv einsum linear baddbmm".split())
"""Functions and methods that multiply matrices."""


def note_product(machine: Machine, operands: list[Value], result: Value, node: cst.CSTNode) -> None:
    """Write a product of data with trained parameters down as a forward pass.

    In the `forward` of a module it is a part of the pass that the call of the module is.
    """
    state = machine.state
    if state is None or machine.quiet or _in_forward(machine):
        return
    weights = [v for v in operands if _is_trained(machine, v)]
    if not weights or not any(_is_data(v) for v in operands):
        return
    owner, ids = machine.frame.self_value, deep_ids(machine, result)
    module = owner if isinstance(owner, Ref) and owner.obj.kind == "module" else weights[0]
    evaluated = isinstance(module, Ref) and module.obj.id in state.evals
    event = Forward(
        node=node, frame=machine.frame, loops=machine.loops,
        module=module, grad=state.grad, ids=ids, evaluating=bool(state.evals), own_eval=evaluated,
        recorded=bool(ids), code=machine.code(node),
    )  # fmt: skip
    machine.record(machine.trace.products, event)


def _in_forward(machine: Machine) -> bool:
    return any(frame.name in ("forward", "__call__") for frame in machine.frame.chain())


def _is_trained(machine: Machine, value: Value) -> bool:
    """Whether a value is a parameter: of a module, or a leaf that the script made with a gradient."""
    leaves = machine.trace.graph_leaves
    for option in options_of(value):
        if isinstance(option, Params):
            return True
        if isinstance(option, Tensor) and option.kind is Kind.GRAPH and option.ids and option.ids <= leaves:
            return True
    return False


def _is_data(value: Value) -> bool:
    return any(
        isinstance(o, Unknown) or (isinstance(o, Tensor) and o.kind is Kind.DETACHED)
        for o in options_of(value)
    )
