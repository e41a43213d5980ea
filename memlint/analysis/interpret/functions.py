"""Calling functions of the file: parameters, bodies, generators."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.interpret.autocasts import open_region
from memlint.analysis.interpret.calls import class_kind
from memlint.analysis.interpret.containers import new_list, unrun_constructor
from memlint.analysis.interpret.contents import deep_ids, refine
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.parts import Args, Keywords
from memlint.analysis.interpret.state import State, merge
from memlint.analysis.interpret.statements import block
from memlint.analysis.interpret.unseen import unread_call, unrun_backward, unseen_call
from memlint.analysis.knowledge import libraries as lib
from memlint.analysis.knowledge import naming
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Class,
    Const,
    External,
    Frame,
    Function,
    Items,
    Kind,
    Ref,
    Tensor,
    Unknown,
    Value,
    join,
)
from memlint.syntax.tree import dotted, last_name, statements, walk

# How deep calls are followed.
DEPTH = 14

# How many nodes a loss or small network of another file may have for its forward pass to be run.
SHORT = 300

# How many statements a function of another file that switches gradients may run when all fuel is spent.
DECISIVE_FUEL = 20

# What a short function does to gradients that decides too much to be left unseen.
_GRAD_SWITCHES = frozenset({"requires_grad", "requires_grad_", "set_grad_enabled"})


def invoke(machine: Machine, function: Function, args: Args, keywords: Keywords, node: cst.CSTNode) -> Value:
    """Run a function of the file with these arguments in the present state."""
    definition = function.node
    args, keywords = [*function.given, *args], {**dict(function.named), **keywords}
    caller = machine.frame
    active = [f.node for f in caller.chain()]
    cross_module = function.frame.cross_module and not caller.cross_module
    decisive = cross_module and _switches_gradients(function)
    no_fuel = machine.cross_module_fuel <= 0
    if cross_module and not decisive and (no_fuel or _is_passed_by(machine, function)):
        unrun_constructor(machine, function, args, keywords)
        unrun_backward(machine, function, args, keywords, node)
        return unread_call(machine, function.frame, _name_of(definition), args, keywords, node)
    # What other modules cost is counted apart: this file is run as far as it would be alone.
    leaving = function.frame.cross_module and not machine.in_cross_module
    own, fuel = machine.fuel, machine.cross_module_fuel if leaving else machine.fuel
    fuel = max(fuel, DECISIVE_FUEL) if decisive else fuel
    if definition in active or len(active) > DEPTH or fuel <= 0 or machine.state is None:
        unrun_constructor(machine, function, args, keywords)
        ids = frozenset().union(NO_IDS, *(deep_ids(machine, v) for v in args))
        if definition in active:
            return SCALAR
        unrun_backward(machine, function, args, keywords, node)
        return machine.unknown(node, ids)
    machine.visited.add(id(definition))
    if not machine.entering and _waits_for_more(definition, function, args, keywords):
        return machine.unknown(node)
    if function.bound is not None and is_left_open(definition):
        return unseen_call(machine, _name_of(definition), [function.bound, *args], keywords, node)
    frame = machine.enter(node, definition, function.frame, _name_of(definition))
    frame.entry, machine.entering = machine.entering, False
    frame.self_value = function.bound or _given_self(definition, args)
    bound_args = [function.bound, *args] if function.bound is not None else list(args)
    outer_breaks, outer_continues, outer_variants = machine.breaks, machine.continues, machine.variants
    machine.breaks, machine.continues, machine.variants = [], [], ()
    machine.frame = frame
    names, machine.names = machine.names, frame.names or function.frame.names or machine.home
    _bind_parameters(machine, frame, definition.params, bound_args, dict(keywords), entry=frame.entry)
    grad, machine.sticky_grad = machine.state.grad, False
    if function.grad:
        machine.state.grad = function.grad
    regions = machine.regions
    if function.cast is not None:
        open_region(machine, function.cast, definition)
    machine.fuel, machine.in_cross_module = fuel, machine.in_cross_module or leaving
    result = _body(machine, definition)
    if leaving:
        # What was lent to a decisive function is not left for others.
        machine.cross_module_fuel = min(machine.fuel, machine.cross_module_fuel)
        machine.fuel, machine.in_cross_module = own, False
    machine.frame, machine.names, machine.regions = caller, names, regions
    machine.breaks, machine.continues, machine.variants = outer_breaks, outer_continues, outer_variants
    if machine.state is not None and not (machine.sticky_grad and not function.grad):
        machine.state.grad = grad
    return result


def _given_self(definition: cst.FunctionDef | cst.Lambda, args: Args) -> Value | None:
    """The object that a method works on when it is called by its class: `Trainer.__init__(self, net)`."""
    first = definition.params.params[0].name.value if definition.params.params else ""
    return args[0] if first == "self" and args and isinstance(args[0], Ref) else None


def _name_of(definition: cst.FunctionDef | cst.Lambda) -> str:
    return definition.name.value if isinstance(definition, cst.FunctionDef) else "<lambda>"


def _waits_for_more(
    definition: cst.FunctionDef | cst.Lambda, function: Function, args: Args, keywords: Keywords
) -> bool:
    """Whether a function below `@curry` is called without some of what it needs: it does not run yet."""
    if not isinstance(definition, cst.FunctionDef):
        return False
    if not any(last_name(d.decorator) == "curry" for d in definition.decorators):
        return False
    params = definition.params
    given = len(args) + (function.bound is not None)
    wanted = [*[*params.posonly_params, *params.params][given:], *params.kwonly_params]
    return any(p.default is None and p.name.value not in keywords for p in wanted)


def is_left_open(definition: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether subclasses are to write it: it is abstract, or has nothing but a text and `...` or
    `raise NotImplementedError`, or nothing at all that it would do with what it is given, or is named for a
    backward and runs none."""
    if not isinstance(definition, cst.FunctionDef):
        return False
    if any(last_name(d.decorator) == "abstractmethod" for d in definition.decorators):
        return True
    body = statements(definition.body)
    if len(definition.params.params) > 1 and all(_does_nothing(line) for line in body):
        return True
    if "backward" in definition.name.value.split("_") and _differentiates_nothing(definition):
        return True
    line = body[-1] if 0 < len(body) < 3 else None
    last = line.body[-1] if isinstance(line, cst.SimpleStatementLine) else line
    if isinstance(last, cst.Raise) and last.exc is not None:
        raised = last.exc.func if isinstance(last.exc, cst.Call) else last.exc
        return dotted(raised) == "NotImplementedError"
    return isinstance(last, cst.Expr) and isinstance(last.value, cst.Ellipsis)


def _differentiates_nothing(definition: cst.FunctionDef) -> bool:
    """Whether a method calls nothing that is named for a backward, or for derivatives."""
    calls = (node for node in walk(definition.body) if isinstance(node, cst.Call))
    return not any(naming.differentiating_call(last_name(call.func)) for call in calls)


def _does_nothing(line: cst.CSTNode) -> bool:
    """Whether a statement is a text, `pass`, a bare `return`, or only gives what is not used a name."""
    return isinstance(line, cst.SimpleStatementLine) and all(_is_idle(part) for part in line.body)


def _is_idle(part: cst.BaseSmallStatement) -> bool:
    if isinstance(part, cst.Expr):
        return isinstance(part.value, (cst.SimpleString, cst.ConcatenatedString))
    if isinstance(part, cst.Assign):
        given = part.value.elements if isinstance(part.value, cst.Tuple) else (part.value,)
        values = (e.value if isinstance(e, cst.BaseElement) else e for e in given)
        return all(isinstance(node, cst.Name) for node in (*values, *(t.target for t in part.targets)))
    return isinstance(part, cst.Pass) or (isinstance(part, cst.Return) and part.value is None)


def _is_passed_by(machine: Machine, function: Function) -> bool:
    """Whether a function of another file is not worth the way there: it goes into a model that is being put
    together, or is called by a run on the side, and is no short forward pass.
    """
    if machine.frame.constructs_module():
        return True
    names, definition = function.frame.names, function.node
    is_forward = isinstance(definition, cst.FunctionDef) and definition.name.value == "forward"
    return machine.quiet > 0 and not (is_forward and names and len(names.walk(definition)) <= SHORT)


def _switches_gradients(function: Function) -> bool:
    """Whether it is a short context manager written as a generator, or a short function that sets
    `requires_grad` or the grad mode: what those do to gradients decides too much to be left unseen."""
    names, definition = function.frame.names, function.node
    if names is None or not isinstance(definition, cst.FunctionDef) or len(names.walk(definition)) > SHORT:
        return False
    if any(dotted(d.decorator).endswith("contextmanager") for d in definition.decorators):
        return True
    targets = (target.target for target in names.every(cst.AssignTarget, definition))
    called = (call.func for call in names.every(cst.Call, definition))
    return any(last_name(node) in _GRAD_SWITCHES for node in (*targets, *called))


def _body(machine: Machine, definition: cst.FunctionDef | cst.Lambda) -> Value:
    if isinstance(definition, cst.Lambda):
        return machine.evaluate(definition.body)
    before = machine.state
    machine.returns.append([])
    generator = new_list(machine, definition).obj if _is_generator(machine, definition) else None
    machine.yields.append(generator)
    if generator is not None:
        machine.trace.generators.add(generator.id)
    machine.frame.outer = _declared(machine, definition)
    block(machine, statements(definition.body))
    returned = machine.returns.pop()
    machine.yields.pop()
    ends: list[tuple[State, Value]] = [*returned]
    if machine.state is not None:
        ends.append((machine.state, NONE))
    machine.state = merge([s for s, _ in ends])
    if machine.state is None:
        # Every path raises: the caller goes on as if the call had been skipped.
        machine.state = before
        return SCALAR
    if generator is not None:
        return Ref(generator)
    result = ends[0][1]
    for _, value in ends[1:]:
        result = join(result, value)
    return result


def _is_generator(machine: Machine, definition: cst.FunctionDef) -> bool:
    known = machine.generators.get(id(definition))
    if known is None:
        yields = machine.names.every(cst.Yield, definition.body)
        known = any(machine.names.scope_of(n).node is definition for n in yields)
        machine.generators[id(definition)] = known
    return known


def _declared(machine: Machine, definition: cst.FunctionDef) -> dict[str, str]:
    known = machine.declared.get(id(definition))
    if known is not None:
        return known
    found: dict[str, str] = {}
    every, body = machine.names.every, definition.body
    found.update({item.name.value: "global" for node in every(cst.Global, body) for item in node.names})
    found.update({item.name.value: "nonlocal" for node in every(cst.Nonlocal, body) for item in node.names})
    machine.declared[id(definition)] = found
    return found


def _bind_parameters(
    machine: Machine,
    frame: Frame,
    params: cst.Parameters,
    args: Args,
    keywords: Keywords,
    *,
    entry: bool,
) -> None:
    positional = [*params.posonly_params, *params.params]
    for param, value in zip(positional, args, strict=False):
        _bind_parameter(machine, frame, param, _as_annotated(machine, param, value))
    for param in [*positional[len(args) :], *params.kwonly_params]:
        name = param.name.value
        if name in keywords:
            value = _as_annotated(machine, param, keywords.pop(name))
        elif param.default is not None and not entry:
            value = machine.evaluate(param.default)
        else:
            value = _plain_default(machine, param) or _guess(machine, frame, param)
        _bind_parameter(machine, frame, param, value)
    if isinstance(params.star_arg, cst.Param):
        rest = args[len(positional) :]
        machine.write(
            (frame.id, params.star_arg.name.value), SCALAR if entry and not rest else Items(tuple(rest))
        )
    if params.star_kwarg is not None:
        obj = machine.obj("dict", params.star_kwarg, "kwargs")
        machine.write((obj.id, "#born"), NONE)
        for name, value in keywords.items():
            machine.write((obj.id, f"[{name!r}]"), value)
        machine.write((frame.id, params.star_kwarg.name.value), Ref(obj))


def _bind_parameter(machine: Machine, frame: Frame, param: cst.Param, value: Value) -> None:
    name = param.name.value
    machine.write((frame.id, name), refine(machine, value, name))


def _guess(machine: Machine, frame: Frame, param: cst.Param) -> Value:
    """What a parameter of a function that is called from elsewhere most likely is."""
    if param.name.value in _INDICES:
        return SCALAR
    value: Value = Unknown(NO_IDS, machine.number("parameter", frame.id, param.name.value))
    if param.annotation is not None:
        value = _annotated(machine, param, value)
        if isinstance(value, Unknown):
            value = _of_imported_class(machine, param, value)
    return value


def _as_annotated(machine: Machine, param: cst.Param, value: Value) -> Value:
    """What a caller gives; of what it does not know, the annotation may tell what it is."""
    unknown = isinstance(value, Unknown) and param.annotation is not None
    return _of_imported_class(machine, param, value) if unknown else value  # type: ignore[arg-type]


def _of_imported_class(machine: Machine, param: cst.Param, value: Unknown) -> Value:
    """A parameter named like a network whose annotation names one class of another file, which is none:
    `detector: Detector`, `detector: Optional[Detector]`, `detector: Union[Detector, Sequence[Detector]]`.

    Only such parameters are looked up: the name says for all others what the class would.
    """
    guess = refine(machine, value, param.name.value)
    if not isinstance(guess, Ref) or guess.obj.kind != "module" or param.annotation is None:
        return value
    parts = machine.names.walk(param.annotation.annotation)
    paths = {machine.names.one(part) for part in parts if isinstance(part, (cst.Name, cst.Attribute))}
    wholes = (p for p in sorted(paths) if p and not any(other.startswith(f"{p}.") for other in paths))
    named = [machine.imported(path) for path in wholes if not _HINTS.match(path)]
    found = named[0] if len(named) == 1 else None
    if not isinstance(found, Class) or class_kind(found.info) != "instance":
        return value
    plain = all(base.rpartition(".")[2] in lib.BARE_BASES for base in found.info.ancestry())
    return machine.symbolic_instance(found) if plain else value


_HINTS = pattern(r"^(typing|typing_extensions|collections|builtins)\b")
"""What annotations say of how classes are put together."""


def _plain_default(machine: Machine, param: cst.Param) -> Value | None:
    """What a parameter is by default where that tells what else it takes: a function, a float, or the CPU.

    Who writes `device="cpu"` leaves it open whether anything is moved to a GPU.
    """
    if isinstance(param.default, cst.SimpleString) and param.default.evaluated_value == "cpu":
        return Const("cpu")
    if type(param.default) is cst.Float:
        return SCALAR
    if type(param.default) not in (cst.Name, cst.Attribute):
        return None
    value = machine.evaluate(param.default)  # type: ignore[arg-type]
    if isinstance(value, External) and value.path.rpartition(".")[2].islower() and "." in value.path:
        return value
    return value if isinstance(value, Function) else None


_INDICES = frozenset(
    "batch_idx batch_nb batch_index batch_num dataloader_idx optimizer_idx epoch_idx".split()
)

_ANNOTATIONS = {
    "torch.nn.Module": "module",
    "torch.nn.modules.Module": "module",
    "torch.optim.Optimizer": "optimizer",
    "torch.optim.optimizer.Optimizer": "optimizer",
    "torch.utils.data.DataLoader": "loader",
    "torch.utils.data.Dataset": "dataset",
    "torch.cuda.amp.GradScaler": "scaler",
    "torch.amp.GradScaler": "scaler",
}


def _annotated(machine: Machine, param: cst.Param, value: Value) -> Value:
    assert param.annotation is not None
    annotation = param.annotation.annotation
    path = machine.names.one(annotation)
    if dotted(annotation) in ("int", "float", "str", "bool"):
        return SCALAR
    if path in _ANNOTATIONS:
        return Ref(machine.obj(_ANNOTATIONS[path], param, "annotated", name=param.name.value, by_name=True))
    if path == "torch.Tensor":
        return Tensor(Kind.DETACHED) if not naming.loss_call(param.name.value) else value
    if path and lib.OTHER_ENGINES.match(path):
        return External(path)
    found = machine.read((machine.frame.lexical.id if machine.frame.lexical else 0, dotted(annotation)))
    if isinstance(found, Class):
        return machine.symbolic_instance(found)
    return value
