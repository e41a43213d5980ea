"""MEM128: outputs and gradients that a training step asks for and nothing reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from memlint.analysis.fixes.rewrites import without_keywords
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import clears_in_place, grad_reads
from memlint.catalogue import Rule
from memlint.detect.retention.transformers_outputs import (
    calls_in_network,
    is_output_read,
    stays_here,
    trained_calls,
)
from memlint.detect.retention.unread_gradients import unread_gradients
from memlint.finding import Applicability
from memlint.syntax.tree import dotted

_OUTPUTS = {"output_hidden_states": "hidden_states", "output_attentions": "attentions"}
# What may read a gradient, or need one on an input, by other ways than `.grad`.
_NEEDS_GRADIENTS = frozenset(
    "jacobian hessian vjp jvp checkpoint checkpoint_sequential gradient_checkpointing_enable "
    "enable_input_require_grads register_hook register_full_backward_hook register_backward_hook".split()
)
_DIFFERENTIATES = ("torch.autograd.grad", "torch.autograd.functional.*", "torch.func.*")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Hidden states, attentions, retained gradients and gradients of data that nobody reads."""
    if not any(b.fills for b in model.trace.backwards.values()):
        yield from _unread_outputs(model, calls_in_network)
        return
    yield from _unread_outputs(model, trained_calls)
    near = model.identifiers | model.words_around
    if any(not clears_in_place(model, read) for read in grad_reads(model)) or _NEEDS_GRADIENTS & near:
        return
    if any(model.names.references(path) for path in _DIFFERENTIATES) or '"grad"' in model.text:
        return
    found = [*unread_gradients(model)]
    # A network of another file may checkpoint its blocks: without a gradient on the input they train nothing.
    if found and not model.imports_word(_NEEDS_GRADIENTS):
        yield from found


# --- outputs of Hugging Face models -------------------------------------------------------------------


def _unread_outputs(
    model: ScriptModel, runs_of: Callable[[ScriptModel, cst.Call], list[cst.CSTNode]]
) -> Iterator[Match]:
    """`output_attentions=True` and the like in the file, whose outputs nothing reads."""
    for call in model.names.calls:
        asked = [a for a in call.args if a.keyword is not None and a.keyword.value in _OUTPUTS]
        for arg in (a for a in asked if dotted(a.value) == "True"):
            name = arg.keyword.value if arg.keyword is not None else ""
            if not is_output_read(model, _OUTPUTS[name]):
                runs = runs_of(model, call)
                if runs and all(stays_here(model, run) for run in runs):
                    plan = Plan(
                        Applicability.UNSAFE,
                        f"drop `{name}=True`",
                        (without_keywords(model, call, frozenset({name})),),
                        "positions in the output change, and attention may use another kernel",
                    )
                    values = {"name": name, "what": _OUTPUTS[name]}
                    yield Match(arg, values, plans=(plan,), causes=((call,),))
