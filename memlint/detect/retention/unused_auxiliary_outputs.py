"""MEM128: outputs and gradients that a training step asks for and nothing reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import libcst as cst

from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.facts import Forward
from memlint.analysis.fixes.rewrites import without_keywords
from memlint.analysis.match import Change, Match, Plan, Remove, Replace
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.grad_reads import clears_in_place, grad_reads
from memlint.analysis.training.loops import over_loader
from memlint.analysis.values import Ref
from memlint.catalogue import Rule
from memlint.finding import Applicability
from memlint.syntax.tree import dotted, root_name

_OUTPUTS = {"output_hidden_states": "hidden_states", "output_attentions": "attentions"}
_READERS = frozenset(
    {"decoder_hidden_states", "encoder_hidden_states", "decoder_attentions", "encoder_attentions"}
)
# What may read a gradient, or need one on an input, by other ways than `.grad`.
_NEEDS_GRADIENTS = frozenset(
    "jacobian hessian vjp jvp checkpoint checkpoint_sequential gradient_checkpointing_enable "
    "enable_input_require_grads register_hook register_full_backward_hook register_backward_hook".split()
)
_DIFFERENTIATES = ("torch.autograd.grad", "torch.autograd.functional.*", "torch.func.*")
_SAME = frozenset(
    "to cuda cpu float double half clone detach contiguous view reshape long unsqueeze squeeze".split()
)
_KNOWN_CALLS = frozenset("print len range isinstance type zip enumerate".split())
_MAKERS = frozenset({"torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.FloatTensor"})
_VARIABLES = frozenset({"torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable"})


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Hidden states, attentions, retained gradients and gradients of data that nobody reads."""
    if not any(b.fills for b in model.trace.backwards.values()):
        yield from _unread_outputs(model, _calls_in_network)
        return
    yield from _unread_outputs(model, _trained_calls)
    if (
        any(not clears_in_place(model, read) for read in grad_reads(model))
        or _NEEDS_GRADIENTS & model.identifiers
    ):
        return
    if any(model.names.references(path) for path in _DIFFERENTIATES) or '"grad"' in model.text:
        return
    yield from _unread_gradients(model)


# --- outputs of Hugging Face models -------------------------------------------------------------------


def _unread_outputs(
    model: ScriptModel, runs_of: Callable[[ScriptModel, cst.Call], list[cst.CSTNode]]
) -> Iterator[Match]:
    for call in model.names.calls:
        for arg in call.args:
            name = arg.keyword.value if arg.keyword is not None else ""
            if name in _OUTPUTS and model.code(arg.value) == "True" and not _is_read(model, _OUTPUTS[name]):
                runs = runs_of(model, call)
                if runs and all(_stays_here(model, run) for run in runs):
                    plan = Plan(
                        Applicability.UNSAFE,
                        f"drop `{name}=True`",
                        (without_keywords(model, call, frozenset({name})),),
                        "members of the output change place, and attention may use another kernel",
                    )
                    yield Match(arg, {"name": name, "what": _OUTPUTS[name]}, plans=(plan,))


def _is_read(model: ScriptModel, what: str) -> bool:
    """Whether the file mentions a member of the outputs, as an attribute, a key or inside a text."""
    return what in model.text.replace(f"output_{what}", "") or bool(_READERS & model.identifiers)


def _calls_in_network(model: ScriptModel, call: cst.Call) -> list[cst.CSTNode]:
    """Where a network with layers of its own, which other files train, runs the model that a call is about.

    That is the call itself, in `forward()`, or what it makes is kept on self and called there.
    """
    owner = model.class_of(call)
    if owner is None or not any(model.path_of(base.value) == "torch.nn.Module" for base in owner.bases):
        return []
    made = {
        dotted(node.targets[0].target): node.value
        for node in model.every(cst.Assign, owner)
        if isinstance(node.value, cst.Call) and dotted(node.targets[0].target).startswith("self.")
    }
    paths = {name: model.names.one(value.func) for name, value in made.items()}
    if not any(re.match(r"torch\.nn\.[A-Z]", path) for path in paths.values()):
        return []
    names = {name for name, value in made.items() if value is call} or {dotted(call.func)}
    if not all(paths.get(name, "").startswith("transformers.") for name in names):
        return []
    calls = [n for n in model.every(cst.Call, owner) if dotted(n.func) in names]
    functions = [model.function_of(n) for n in calls]
    return [*calls] if all(f is not None and f.name.value == "forward" for f in functions) else []


def _trained_calls(model: ScriptModel, call: cst.Call) -> list[cst.CSTNode]:
    return [forward.node for forward in _forwards_of(model, call)]


def _forwards_of(model: ScriptModel, call: cst.Call) -> list[Forward]:
    """The trained forward passes that a call is, or that run the model that it makes."""
    backed = model.trace.backed
    made = [f for f in model.trace.forwards.values() if f.recorded and f.ids & backed]
    direct = [f for f in made if f.node is call]
    makers = [call, *_given_config(model, call)]
    return direct or [
        f
        for f in made
        if isinstance(f.module, Ref)
        and f.module.obj.node in makers
        and f.module.obj.path.startswith("transformers.")
    ]


def _given_config(model: ScriptModel, call: cst.Call) -> list[cst.Call]:
    """The calls of transformers that get the configuration which `call` makes and gives a name."""
    above = model.parent(call)
    path = model.names.one(call.func)
    if not isinstance(above, cst.Assign) or not path.startswith("transformers.") or "Config" not in path:
        return []
    name = model.code(above.targets[0].target)
    return [
        other
        for other in model.names.calls
        if model.names.one(other.func).startswith("transformers.")
        and any(model.code(arg.value) == name for arg in other.args)
    ]


def _stays_here(model: ScriptModel, run: cst.CSTNode) -> bool:
    """Whether the result is only read by the names of its members, in the function that made it."""
    above = model.parent(run)
    if isinstance(above, cst.Attribute):
        return True
    if isinstance(above, cst.Subscript):
        return model.code(above).endswith(("[0]", '["loss"]', "['loss']"))
    if not isinstance(above, cst.Assign) or not isinstance(above.targets[0].target, cst.Name):
        return False
    target = above.targets[0].target
    found = variable(model, target, target.value)
    if found is None or found.captured:
        return False
    line = model.statement_of(above)
    reads = found.reads_after(line) if line is not None else []
    return all(_names_a_member(model, node) for node in reads)


def _names_a_member(model: ScriptModel, node: cst.CSTNode) -> bool:
    above = model.parent(node)
    if isinstance(above, cst.Attribute):
        return above.attr.value not in ("to_tuple", "values", "items", "keys")
    if isinstance(above, cst.Subscript):
        index = model.code(above)[len(model.code(node)) :]
        return index[1:2] in "'\"" or index == "[0]"
    return isinstance(above, cst.Del)


# --- gradients ----------------------------------------------------------------------------------------


def _unread_gradients(model: ScriptModel) -> Iterator[Match]:
    for call in model.names.calls:
        if not isinstance(call.func, cst.Attribute):
            if model.names.one(call.func) in _VARIABLES:
                yield from _variable(model, call)
            continue
        name, owner = call.func.attr.value, call.func.value
        if name == "retain_grad" and isinstance(owner, cst.Name) and _is_plain(model, owner):
            yield _match(model, call, owner, "retained", _without_statement(model, call))
        elif name == "requires_grad_" and _asks(model, call) and _is_batch_made(model, call, owner):
            yield _match(
                model, call, owner, "input", _without_statement(model, call) or _unwrapped(model, call, owner)
            )
    yield from _assigned(model)


def _asks(model: ScriptModel, call: cst.Call) -> bool:
    return not call.args or model.code(call.args[0].value) == "True"


def _variable(model: ScriptModel, call: cst.Call) -> Iterator[Match]:
    """`Variable(x, requires_grad=True)` around data."""
    asks = any(
        a.keyword is not None and a.keyword.value == "requires_grad" and model.code(a.value) == "True"
        for a in call.args
    )
    if asks and call.args[0].keyword is None and _is_batch_made(model, call, call.args[0].value):
        changes: tuple[Change, ...] = (without_keywords(model, call, frozenset({"requires_grad"})),)
        yield _match(model, call, call.args[0].value, "input", changes)


def _assigned(model: ScriptModel) -> Iterator[Match]:
    """`x.requires_grad = True` on data."""
    for node in model.names.every(cst.Assign):
        if len(node.targets) == 1 and model.code(node.value) == "True":
            target = node.targets[0].target
            if (
                isinstance(target, cst.Attribute)
                and target.attr.value == "requires_grad"
                and _is_data(model, target.value)
            ):
                line = model.parent(node)
                alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
                yield _match(
                    model, node, target.value, "input", (Remove(line),) if alone and line is not None else ()
                )


def _match(
    model: ScriptModel,
    node: cst.CSTNode,
    owner: cst.BaseExpression,
    variant: str,
    changes: tuple[Change, ...],
) -> Match:
    plan = Plan(Applicability.SAFE, "do not ask for this gradient", changes)
    return Match(
        node, {"name": model.short(owner), "what": "grad"}, variant, plans=(plan,) if changes else ()
    )


def _without_statement(model: ScriptModel, call: cst.Call) -> tuple[Change, ...]:
    statement = model.parent(call)
    line = model.parent(statement) if isinstance(statement, cst.Expr) else None
    return (Remove(line),) if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else ()


def _unwrapped(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> tuple[Change, ...]:
    return (Replace(call, model.code(owner)),)


def _is_batch_made(model: ScriptModel, call: cst.Call, owner: cst.BaseExpression) -> bool:
    """Whether a call asks for the gradient of a batch, or of a slice of the data made one in each step."""
    if _is_data(model, owner):
        return True
    while isinstance(owner, (cst.Call, cst.Attribute)) and _keeps_value(model, owner):
        owner = _inner(owner)
    cut = isinstance(owner, cst.Subscript) and root_name(owner) not in ("self", "")
    made = isinstance(owner, cst.Call) and model.names.one(owner.func) in _MAKERS
    above = model.parent(call)
    if not (cut or made) or not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return False
    target = above.targets[0].target
    if not isinstance(target, cst.Name) or not _is_plain(model, target):
        return False
    around = {a for a in model.ancestors(call) if isinstance(a, (cst.For, cst.While))}
    return any(x.node in around for s in model.trace.steps.values() for x in s.loops[-1:])


def _is_data(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether an expression is a batch that a training loop over a loader yields, used only for training."""
    while isinstance(owner, (cst.Call, cst.Attribute)) and _keeps_value(model, owner):
        owner = _inner(owner)
    if not isinstance(owner, cst.Name) or not _is_plain(model, owner):
        return False
    return _from_loader(model, owner, 0)


def _keeps_value(model: ScriptModel, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        func = node.func
        wraps = model.names.one(func) in _VARIABLES and bool(node.args)
        return wraps or (isinstance(func, cst.Attribute) and func.attr.value in _SAME)
    return isinstance(node, cst.Attribute) and node.attr.value == "data"


def _inner(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, cst.Call):
        return (
            node.func.value
            if isinstance(node.func, cst.Attribute) and node.func.attr.value in _SAME
            else node.args[0].value
        )
    assert isinstance(node, cst.Attribute)
    return node.value


def _from_loader(model: ScriptModel, name: cst.Name, depth: int) -> bool:
    """Whether every binding of a name comes from a loop over a loader, perhaps moved to a device."""
    found = variable(model, name, name.value)
    if found is None or found.parameter or depth > 3:
        return False
    binds = [n for nodes in found.binds.values() for n in nodes]
    return bool(binds) and any(_is_batch(model, n, name.value, depth) for n in binds)


def _is_batch(model: ScriptModel, bind: cst.Name, name: str, depth: int) -> bool:
    for above in model.ancestors(bind):
        if isinstance(above, cst.For):
            loops = [x for x in model.trace.loops.values() if x.node is above]
            trained = (x for x in loops if any(x in s.loops for s in model.trace.steps.values()))
            return any(over_loader(x) for x in trained)
        if isinstance(above, cst.Assign):
            value = _source(model, above.value)
            return (
                isinstance(value, cst.Name) and value.value != name and _from_loader(model, value, depth + 1)
            )
    return False


def _source(model: ScriptModel, value: cst.BaseExpression) -> cst.BaseExpression:
    """What a value is taken from: `batch` for `batch["x"].to(device).requires_grad_()`."""
    while True:
        if isinstance(value, cst.Subscript):
            value = value.value
        elif isinstance(value, (cst.Call, cst.Attribute)) and _keeps_value(model, value):
            value = _inner(value)
        else:
            return value


def _is_plain(model: ScriptModel, owner: cst.Name) -> bool:
    """Whether a local goes to modules, losses and torch functions only: nobody else reads its gradient."""
    found = variable(model, owner, owner.value)
    if found is None or found.captured:
        return False
    return not any(_escapes(model, node) for nodes in found.reads.values() for node in nodes)


def _escapes(model: ScriptModel, node: cst.Name) -> bool:
    above = model.parent(node)
    if isinstance(above, (cst.Return, cst.Yield, cst.Element, cst.DictElement)):
        return True
    if isinstance(above, cst.Assign):
        return not isinstance(above.targets[0].target, cst.Name)
    if not isinstance(above, cst.Arg):
        return False
    call = model.parent(above)
    if not isinstance(call, cst.Call):
        return False
    if model.names.one(call.func).startswith("torch.") or dotted(call.func) in _KNOWN_CALLS:
        return False
    if model.code(call.func).startswith("self."):
        return False
    events = (*model.trace.forwards.values(), *model.trace.criteria.values())
    # Functions of the file count as well: the file reads no gradients at all.
    ran = {e.node for e in events} | {f.call for e in events for f in e.frame.chain() if f.call is not None}
    return call not in ran and not (
        isinstance(call.func, cst.Attribute) and root_name(call.func) == node.value
    )
