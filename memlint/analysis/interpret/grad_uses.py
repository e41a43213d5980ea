"""Gradients that are clipped or measured between backward and step."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.facts import GradUse
from memlint.analysis.interpret.contents import owners_in
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args
from memlint.analysis.knowledge import hints

_MEASURES = frozenset({"norm", "vector_norm", "clamp", "clamp_", "clip", "clip_"})
_GRAD = re.compile(r"\.grad\b(?!_)")


def note_grad_use(machine: Machine, name: str, code: str, args: Args, node: cst.CSTNode) -> None:
    """`clip_grad_norm_(...)`, `p.grad.clamp_(...)`, `p.grad.norm()`: what depends on the gradients' scale.

    `code` is the code of a called method, "" for a function.
    """
    clips = hints.CLIPS_GRADIENTS.search(name)
    if machine.quiet or not (clips or name in _MEASURES):
        return
    if not clips and not _GRAD.search(code or _first_argument(machine, node)):
        return
    limits = clips or name.startswith("cl")
    event = GradUse(
        node=node,
        frame=machine.frame,
        loops=machine.loops,
        how="clip" if limits else "norm",
        owners=owners_in(machine, args),
    )
    machine.record(machine.trace.grad_uses, event)


def _first_argument(machine: Machine, node: cst.CSTNode) -> str:
    if not isinstance(node, cst.Call) or not node.args:
        return ""
    first = node.args[0]
    named = f"{first.keyword.value}=" if first.keyword is not None else ""
    return named + machine.code(first.value)
