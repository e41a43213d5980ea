"""Abstract execution of statements, functions and whole files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from memlint.analysis import guesses
from memlint.analysis.calls import call, instantiate
from memlint.analysis.containers import elements, keep, new_list, note_iteration
from memlint.analysis.evaluate import arithmetic, attribute, bind, context_of, decorated, evaluate
from memlint.analysis.facts import Loop
from memlint.analysis.libraries import GRAD_CONTEXTS
from memlint.analysis.machine import CONTENT, DEPTH, Machine, State, deep_ids, graph_members, merge, refine
from memlint.analysis.names import Names
from memlint.analysis.tree import dotted, statements
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Choice,
    Class,
    ClassInfo,
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
    ids_of,
    join,
    options_of,
    truth,
)

UNROLL = 4


def run(module: cst.Module, names: Names, code: Callable[[cst.CSTNode], str]) -> Machine:
    """Run a file abstractly: its top level, then every function that nothing in it has called."""
    machine = Machine(
        names,
        code,
        invoke=lambda function, args, keywords, node: invoke(machine, function, args, keywords, node),
        call=lambda value, args, keywords, node: call(machine, value, args, keywords, node),
        evaluate=lambda node: evaluate(machine, node),
        specimen=lambda value: _specimen(machine, value),
        decorate=lambda function, definition: decorated(machine, function, definition),
    )
    machine.module_names = _module_names(names)
    machine.wrapped_off = _wrapped_off(names)
    machine.frame = machine.enter(None, module, None, "<module>")
    machine.frame.entry = True
    machine.returns.append([])
    block(machine, module.body)
    machine.returns.pop()
    if machine.state is None:
        machine.state = State(vars=_globals_after_exit(machine))
    _entries(machine, module)
    return machine


def _wrapped_off(names: Names) -> frozenset[str]:
    """Functions that are wrapped after their definition: `evaluate = torch.no_grad()(evaluate)`."""
    found = set()
    for node in names.calls:
        if (
            isinstance(node.func, cst.Call)
            and len(node.args) == 1
            and GRAD_CONTEXTS.get(names.one(node.func.func)) == "off"
        ):
            found.add(dotted(node.args[0].value).rpartition(".")[2])
    return frozenset(found - {""})


def _module_names(names: Names) -> frozenset[str]:
    """Names on which the file calls what only modules have: `.eval()`, `.parameters()`."""
    found = set()
    for node in names.calls:
        func = node.func
        if (
            isinstance(func, cst.Attribute)
            and func.attr.value in ("eval", "train", "parameters", "named_parameters")
            and not node.args
        ):
            owner = func.value
            found.add(
                owner.attr.value
                if isinstance(owner, cst.Attribute)
                else owner.value
                if isinstance(owner, cst.Name)
                else ""
            )
    return frozenset(n for n in found if n and guesses.role(n) in ("", "module") and "train" not in n.lower())


def _globals_after_exit(machine: Machine) -> dict[tuple[int, str], tuple[Value, tuple[Loop, ...]]]:
    """The module's names when its top level leaves early (`sys.exit()`, `raise`)."""
    return machine.last_vars


# --- entry points ------------------------------------------------------------------------------


def _entries(machine: Machine, module: cst.Module) -> None:
    """Run what nothing has called: functions, then the methods of classes, with guessed arguments."""
    functions = [node for node in machine.names.walk(module) if isinstance(node, cst.FunctionDef)]
    called = {dotted(c.func).rpartition(".")[2] for c in machine.names.calls}
    # What some other function calls is better seen from there; what is left over follows.
    for node in sorted(functions, key=lambda n: n.name.value in called):
        if machine.fuel <= 0:
            return
        if id(node) not in machine.visited:
            owner = _class_of(machine, node)
            if owner is None:
                if _at_top(machine, node):
                    _run_entry(machine, node, machine.frame, None)
            else:
                _run_method_entry(machine, node, owner)


def _at_top(machine: Machine, node: cst.CSTNode) -> bool:
    parent = machine.names.parents.get(node)
    while parent is not None:
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return False
        parent = machine.names.parents.get(parent)
    return True


def _class_of(machine: Machine, node: cst.FunctionDef) -> cst.ClassDef | None:
    block_node = machine.names.parents.get(node)
    parent = machine.names.parents.get(block_node) if block_node is not None else None
    return parent if isinstance(parent, cst.ClassDef) else None


def _run_method_entry(machine: Machine, node: cst.FunctionDef, owner: cst.ClassDef) -> None:
    value = machine.classes.get(id(owner))
    if value is None or not _at_top(machine, owner):
        return
    me = _specimen(machine, _most_derived(machine, value))
    for caller, frame in _templates_calling(machine, value.info, node.name.value):
        _run_entry(machine, caller, frame, me)
    if id(node) not in machine.visited and node.name.value != "__init__":
        _run_entry(machine, node, value.info.frame, me)


def _templates_calling(machine: Machine, info: ClassInfo, name: str) -> list[tuple[cst.FunctionDef, Frame]]:
    """The methods of base classes in the file that call `self.name()`: they set the stage for it."""
    found: list[tuple[cst.FunctionDef, Frame]] = []
    for base in info.bases:
        if isinstance(base, Class):
            calls = {m: machine.code(m.body) for m in base.info.methods.values() if m.name.value != name}
            found += [(m, base.info.frame) for m, code in calls.items() if f"self.{name}(" in code]
            found += _templates_calling(machine, base.info, name)
    return found


def _most_derived(machine: Machine, value: Class) -> Class:
    """A class of the file that completes an abstract one: its methods fill what the base leaves open."""
    for other in machine.classes.values():
        if any(isinstance(base, Class) and base.info is value.info for base in other.info.bases):
            return _most_derived(machine, other)
    return value


def _specimen(machine: Machine, value: Class) -> Value:
    """An object of a class that nothing in the file makes: its constructor is run once."""
    known = machine.specimens.get(id(value.info))
    if known is None:
        frame, loops, variants = machine.frame, machine.loops, machine.variants
        machine.frame, machine.loops, machine.variants = value.info.frame, (), ()
        machine.entering = value.info.find("__init__") is not None
        known = machine.specimens[id(value.info)] = instantiate(machine, value.info, [], {}, value.info.node)
        machine.frame, machine.loops, machine.variants = frame, loops, variants
    return known


def _run_entry(machine: Machine, node: cst.FunctionDef, frame: Frame, bound: Value | None) -> None:
    before = machine.state
    assert before is not None
    grad, evals = before.grad, before.evals
    before.grad, before.evals, before.pending = "on", NO_IDS, frozenset()
    function: Value = decorated(machine, Function(node, frame, bound), node)
    machine.entering = True
    if isinstance(function, Function):
        invoke(machine, function, [], {}, node)
    if machine.state is None:
        machine.state = before
    machine.state.grad, machine.state.evals = grad, evals


# --- calling functions of the file ----------------------------------------------------------------


def invoke(
    machine: Machine, function: Function, args: list[Value], keywords: dict[str, Value], node: cst.CSTNode
) -> Value:
    """Run a function of the file with these arguments in the present state."""
    definition = function.node
    caller = machine.frame
    active = [f.node for f in caller.chain()]
    if definition in active or len(active) > DEPTH or machine.fuel <= 0 or machine.state is None:
        ids = frozenset().union(NO_IDS, *(deep_ids(machine, v) for v in args))
        return SCALAR if definition in active else machine.unknown(node, ids)
    machine.visited.add(id(definition))
    name = definition.name.value if isinstance(definition, cst.FunctionDef) else "<lambda>"
    frame = machine.enter(node, definition, function.frame, name)
    frame.entry, machine.entering = machine.entering, False
    frame.self_value = function.bound
    bound_args = [function.bound, *args] if function.bound is not None else list(args)
    outer_breaks, outer_continues, outer_variants = machine.breaks, machine.continues, machine.variants
    machine.breaks, machine.continues, machine.variants = [], [], ()
    machine.frame = frame
    _bind_parameters(machine, frame, definition.params, bound_args, dict(keywords), entry=frame.entry)
    grad, machine.sticky_grad = machine.state.grad, False
    if function.grad:
        machine.state.grad = function.grad
    result = _body(machine, definition)
    machine.frame = caller
    machine.breaks, machine.continues, machine.variants = outer_breaks, outer_continues, outer_variants
    if machine.state is not None and not (machine.sticky_grad and not function.grad):
        machine.state.grad = grad
    return result


def _body(machine: Machine, definition: cst.FunctionDef | cst.Lambda) -> Value:
    if isinstance(definition, cst.Lambda):
        return evaluate(machine, definition.body)
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
        yields = (n for n in machine.names.walk(definition.body) if type(n) is cst.Yield)
        known = any(machine.names.scope_of(n).node is definition for n in yields)
        machine.generators[id(definition)] = known
    return known


def _declared(machine: Machine, definition: cst.FunctionDef) -> dict[str, str]:
    known = machine.declared.get(id(definition))
    if known is not None:
        return known
    found: dict[str, str] = {}
    for statement in machine.names.walk(definition.body):
        if isinstance(statement, (cst.Global, cst.Nonlocal)):
            how = "global" if isinstance(statement, cst.Global) else "nonlocal"
            found.update({item.name.value: how for item in statement.names})
    machine.declared[id(definition)] = found
    return found


def _bind_parameters(
    machine: Machine,
    frame: Frame,
    params: cst.Parameters,
    args: list[Value],
    keywords: dict[str, Value],
    *,
    entry: bool,
) -> None:
    given: set[int] = set()
    positional = [*params.posonly_params, *params.params]
    for param, value in zip(positional, args, strict=False):
        given |= deep_ids(machine, value)
        _bind_parameter(machine, frame, param, value)
    for param in [*positional[len(args) :], *params.kwonly_params]:
        name = param.name.value
        if name in keywords:
            value = keywords.pop(name)
            given |= deep_ids(machine, value)
        elif param.default is not None and not entry:
            value = evaluate(machine, param.default)
        else:
            value = _guess(machine, frame, param)
        _bind_parameter(machine, frame, param, value)
    if isinstance(params.star_arg, cst.Param):
        rest = args[len(positional) :]
        given |= set().union(*(deep_ids(machine, v) for v in rest)) if rest else set()
        machine.write((frame.id, params.star_arg.name.value), Items(tuple(rest)) if not entry else SCALAR)
    if params.star_kwarg is not None:
        obj = machine.obj("dict", params.star_kwarg, "kwargs")
        machine.write((obj.id, "#born"), NONE)
        for name, value in keywords.items():
            given |= deep_ids(machine, value)
            machine.write((obj.id, f"[{name!r}]"), value)
        machine.write((frame.id, params.star_kwarg.name.value), Ref(obj))
    frame.argument_ids = frozenset(given)


def _bind_parameter(machine: Machine, frame: Frame, param: cst.Param, value: Value) -> None:
    name = param.name.value
    machine.write((frame.id, name), refine(machine, value, name, param))


def _guess(machine: Machine, frame: Frame, param: cst.Param) -> Value:
    """What a parameter of a function that is called from elsewhere most likely is."""
    value: Value = Unknown(NO_IDS, machine.number("parameter", frame.id, param.name.value))
    if param.annotation is not None:
        value = _annotated(machine, param, value)
    return value


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
        return Ref(machine.obj(_ANNOTATIONS[path], param, "annotated", name=param.name.value, guessed=True))
    if path == "torch.Tensor":
        return Tensor(Kind.DETACHED) if not guesses.loss_call(param.name.value) else value
    found = machine.read((machine.frame.lexical.id if machine.frame.lexical else 0, dotted(annotation)))
    if isinstance(found, Class):
        return _specimen(machine, found)
    return value


# --- blocks and simple statements ---------------------------------------------------------------


def block(machine: Machine, body: Sequence[cst.CSTNode]) -> None:
    """Run statements one after the other, as long as a path goes on."""
    for statement in body:
        if machine.state is None:
            return
        execute(machine, statement)


def execute(machine: Machine, node: cst.CSTNode) -> None:
    """Run one statement."""
    machine.fuel -= 1
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        handler(machine, node)


def _line(machine: Machine, node: cst.SimpleStatementLine) -> None:
    block(machine, node.body)


def _expression(machine: Machine, node: cst.Expr) -> None:
    value = evaluate(machine, node.value)
    _adds_in_place(machine, node.value, value)
    if isinstance(node.value, cst.Call) and dotted(node.value.func) in (
        "sys.exit",
        "exit",
        "quit",
        "os._exit",
    ):
        _leave(machine)


def _adds_in_place(machine: Machine, node: cst.BaseExpression, value: Value) -> None:
    """`acc.add_(v)`: a sum whose accumulator is a tensor."""
    if (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in ("add_", "sub_")
        and node.args
    ):
        key = _key(machine, node.func.value)
        if key is not None and machine.state is not None:
            operand = node.args[0].value
            _accumulate(
                machine, node, key, machine.code(node.func.value), evaluate(machine, operand), operand, value
            )


def _leave(machine: Machine) -> None:
    if machine.frame.lexical is None and machine.state is not None:
        machine.last_vars = machine.state.vars
    machine.state = None


def _assign(machine: Machine, node: cst.Assign) -> None:
    value = evaluate(machine, node.value)
    for target in node.targets:
        _assign_one(machine, node, target.target, node.value, value)


def _assign_one(
    machine: Machine,
    node: cst.Assign,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
) -> None:
    if isinstance(target, cst.Tuple) and isinstance(expression, cst.Tuple) and isinstance(value, Items):
        if len(target.elements) == len(expression.elements) == len(value.items):
            for left, right, item in zip(target.elements, expression.elements, value.items, strict=True):
                _assign_one(machine, node, left.value, right.value, item)
            return
    if not (
        _accumulates(machine, node, target, expression, value)
        or _concatenates(machine, node, target, expression, value)
    ):
        bind(machine, target, value)


def _annotated_assign(machine: Machine, node: cst.AnnAssign) -> None:
    if node.value is not None:
        bind(machine, node.target, evaluate(machine, node.value))


def _accumulates(
    machine: Machine,
    node: cst.Assign,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
) -> bool:
    """`acc = acc + v`, `acc = acc * c + v`, `acc = v + acc`: a sum that keeps its past."""
    if isinstance(expression, (cst.ListComp, cst.DictComp, cst.Call)):
        return _rebuilds(machine, node, target, expression, value)
    if isinstance(expression, cst.IfExp):
        branches = [b for b in (expression.body, expression.orelse) if isinstance(b, cst.BinaryOperation)]
        expression = branches[0] if branches else expression
    if not isinstance(expression, cst.BinaryOperation) or not isinstance(
        target, (cst.Name, cst.Attribute, cst.Subscript)
    ):
        return False
    if not isinstance(expression.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)):
        return False
    wanted = machine.code(target)
    operands = _other_operands(machine, expression, wanted)
    key = _key(machine, target) if operands else None
    if key is None:
        return False
    values = [(operand, evaluate(machine, operand)) for operand in operands]
    others, added = next(((o, v) for o, v in values if graph_members(machine, v)), values[0])
    old = machine.read(key)
    if isinstance(old, Ref) and old.obj.kind == "list":
        inner = elements(machine, added, node)
        keep(machine, "store", node, (old.obj.id, CONTENT), wanted, inner, others)
        machine.put(old.obj, inner)
        return True
    _accumulate(machine, node, key, wanted, added, others, value)
    return True


def _concatenates(
    machine: Machine, node: cst.Assign, target: cst.BaseExpression, call: cst.BaseExpression, value: Value
) -> bool:
    """`acc = torch.cat([acc, v])`: a tensor that grows by what it takes in."""
    if (
        not isinstance(call, cst.Call)
        or not call.args
        or not isinstance(call.args[0].value, (cst.Tuple, cst.List))
    ):
        return False
    if dotted(call.func).rpartition(".")[2] not in (
        "cat",
        "concat",
        "concatenate",
        "vstack",
        "hstack",
        "stack",
    ):
        return False
    wanted, key = machine.code(target), _key(machine, target)
    others = [e.value for e in call.args[0].value.elements if machine.code(e.value) != wanted]
    if key is None or len(others) == len(call.args[0].value.elements) or not others:
        return False
    added = evaluate(machine, others[-1])
    ids = deep_ids(machine, added) | deep_ids(machine, machine.read(key) or NONE)
    product = machine.fresh(node, ids, "acc", light=True)
    keep(machine, "store", node, key, wanted, added, others[-1], product=product)
    if isinstance(value, Tensor) and value.kind >= Kind.MAYBE:
        value = Tensor(value.kind, frozenset((product,)))
    machine.write(key, value, keep_birth=True)
    return True


def _other_operands(
    machine: Machine, expression: cst.BinaryOperation, wanted: str
) -> list[cst.BaseExpression]:
    """The operands of a sum beside the accumulator, nearest first; empty when it is not in the sum."""
    for mine, other in ((expression.left, expression.right), (expression.right, expression.left)):
        code = machine.code(mine.with_changes(lpar=[], rpar=[]) if isinstance(mine, cst.Name) else mine)
        if code == wanted or _is_get(machine, mine, wanted):
            return [other]
        if isinstance(mine, cst.BinaryOperation) and (inner := _other_operands(machine, mine, wanted)):
            return [*inner, other]
    return []


def _is_get(machine: Machine, node: cst.BaseExpression, wanted: str) -> bool:
    """`d.get(k, 0)` as a way to read `d[k]`."""
    if (
        not isinstance(node, cst.Call)
        or not isinstance(node.func, cst.Attribute)
        or node.func.attr.value != "get"
    ):
        return False
    return (
        bool(node.args) and wanted == f"{machine.code(node.func.value)}[{machine.code(node.args[0].value)}]"
    )


def _rebuilds(
    machine: Machine,
    node: cst.Assign,
    target: cst.BaseExpression,
    expression: cst.BaseExpression,
    value: Value,
) -> bool:
    """`acc = [a + v for a, v in zip(acc, new)]`, `acc = {k: acc[k] + v ...}`, `acc = torch.add(acc, v)`."""
    wanted = machine.code(target)
    operand: cst.BaseExpression | None = None
    if isinstance(expression, cst.Call):
        operand = _call_operand(machine, expression, wanted)
    elif isinstance(expression, (cst.ListComp, cst.DictComp)):
        element = expression.elt if isinstance(expression, cst.ListComp) else expression.value
        operand = _new_term(machine, element, expression.for_in, wanted)
    key = _key(machine, target) if operand is not None else None
    if operand is None or key is None:
        return False
    _accumulate(machine, node, key, wanted, evaluate(machine, operand), operand, value)
    return True


def _call_operand(machine: Machine, node: cst.Call, wanted: str) -> cst.BaseExpression | None:
    """The summand of `torch.add(acc, v)` or `acc.add(v)`."""
    if dotted(node.func) == "torch.add" and len(node.args) > 1 and machine.code(node.args[0].value) == wanted:
        return node.args[1].value
    func = node.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in ("add", "sub", "add_"):
        return None
    return node.args[0].value if node.args and machine.code(func.value) == wanted else None


def _new_term(
    machine: Machine, element: cst.BaseExpression, clause: cst.CompFor, wanted: str
) -> cst.BaseExpression | None:
    """What a rebuilt container adds to each of its old elements; None when it is no such sum."""
    if not isinstance(element, cst.BinaryOperation) or not isinstance(element.operator, cst.Add):
        return None
    if machine.code(element.left).startswith(f"{wanted}["):
        return element.right
    source, pair = clause.iter, clause.target
    if not isinstance(source, cst.Call) or dotted(source.func) != "zip" or not isinstance(pair, cst.Tuple):
        return None
    codes = [machine.code(a.value) for a in source.args]
    if wanted not in codes or len(codes) != len(pair.elements):
        return None
    old = machine.code(pair.elements[codes.index(wanted)].value)
    if machine.code(element.left) == old:
        return element.right
    return element.left if machine.code(element.right) == old else None


def _key(machine: Machine, target: cst.BaseExpression) -> tuple[int, str] | None:
    """The slot that an assignment target stands for; None when it is not one slot."""
    if isinstance(target, cst.Name):
        frame: Frame | None = machine.frame
        if machine.frame.outer.get(target.value):
            while frame is not None and machine.read((frame.id, target.value)) is None:
                frame = frame.lexical
        return (frame.id, target.value) if frame is not None else None
    if isinstance(target, cst.Attribute):
        owner = evaluate(machine, target.value)
        for option in options_of(owner):
            if isinstance(option, Ref):
                return (option.obj.id, "." + target.attr.value)
        return None
    if (
        isinstance(target, cst.Subscript)
        and len(target.slice) == 1
        and isinstance(target.slice[0].slice, cst.Index)
    ):
        owner = evaluate(machine, target.value)
        index = evaluate(machine, target.slice[0].slice.value)
        for option in options_of(owner):
            if isinstance(option, Ref) and option.obj.kind in ("list", "dict"):
                return (option.obj.id, f"[{index.value!r}]" if isinstance(index, Const) else CONTENT)
    return None


def _accumulate(
    machine: Machine,
    node: cst.CSTNode,
    key: tuple[int, str],
    target: str,
    added: Value,
    value_node: cst.BaseExpression,
    result: Value,
) -> None:
    ids = deep_ids(machine, added)
    old = machine.read(key)
    product = machine.fresh(
        node, ids | (deep_ids(machine, old) if old is not None else NO_IDS), "acc", light=True
    )
    if machine.state is not None and machine.state.grad == "on":
        keep(machine, "sum", node, key, target, added, value_node, product=product)
    kinds = [v for v in options_of(result) if isinstance(v, Tensor)]
    if kinds and max(v.kind for v in kinds) >= Kind.MAYBE:
        result = Tensor(max(v.kind for v in kinds), frozenset((product,)))
    elif isinstance(result, Unknown) or (isinstance(result, Choice) and ids_of(result)):
        result = Unknown(frozenset((product,)), product)
    machine.write(key, result, keep_birth=True)


def _augmented(machine: Machine, node: cst.AugAssign) -> None:
    added = evaluate(machine, node.value)
    key = _key(machine, node.target)
    old = machine.read(key) if key is not None else None
    if old is None:
        old = evaluate(machine, node.target)
    if isinstance(node.operator, cst.AddAssign):
        lists = [o for o in options_of(old) if isinstance(o, Ref) and o.obj.kind == "list"]
        if lists:
            inner = elements(machine, added, node)
            for ref in lists:
                value_node = _sole_element(node.value)
                keep(
                    machine,
                    "store",
                    node,
                    (ref.obj.id, CONTENT),
                    machine.code(node.target),
                    inner,
                    value_node,
                    obj=ref.obj,
                )
                machine.put(ref.obj, inner)
            return
    result = arithmetic(machine, old, added, node)
    if key is None:
        return
    if not isinstance(
        node.operator, (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.DivideAssign)
    ):
        machine.write(key, result, keep_birth=True)
        return
    _accumulate(machine, node, key, machine.code(node.target), added, node.value, result)


def _sole_element(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, (cst.List, cst.Tuple)) and len(node.elements) == 1:
        return node.elements[0].value
    return node


def _return(machine: Machine, node: cst.Return) -> None:
    value = evaluate(machine, node.value) if node.value is not None else NONE
    if machine.frame.entry and not machine.quiet:
        machine.trace.escaped |= machine.ancestors(deep_ids(machine, value))
    if machine.state is not None and machine.returns:
        machine.returns[-1].append((machine.state, value))
    machine.state = None


def _raise(machine: Machine, node: cst.Raise) -> None:
    if node.exc is not None:
        evaluate(machine, node.exc)
    _leave(machine)


def _break(machine: Machine, node: cst.Break) -> None:
    if machine.breaks and machine.state is not None:
        machine.breaks[-1].append(machine.state)
    machine.state = None


def _continue(machine: Machine, node: cst.Continue) -> None:
    if machine.continues and machine.state is not None:
        machine.continues[-1].append(machine.state)
    machine.state = None


def _delete(machine: Machine, node: cst.Del) -> None:
    targets = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
    for target in targets:
        if isinstance(target, cst.Name) and machine.state is not None:
            machine.state.vars.pop((machine.frame.id, target.value), None)
        elif isinstance(target, cst.Subscript) and any(isinstance(e.slice, cst.Slice) for e in target.slice):
            owner = evaluate(machine, target.value)
            for option in options_of(owner):
                if isinstance(option, Ref) and option.obj.kind == "list" and machine.state is not None:
                    machine.state.vars.pop((option.obj.id, CONTENT), None)
                    machine.write((option.obj.id, "#born"), NONE)


def _assert(machine: Machine, node: cst.Assert) -> None:
    evaluate(machine, node.test)


def _nothing(machine: Machine, node: cst.CSTNode) -> None:
    """Imports, `pass`, `global`: resolved by name, nothing to run."""


# --- compound statements ------------------------------------------------------------------------


def _if(machine: Machine, node: cst.If) -> None:
    known = truth(_condition(machine, node.test))
    before = machine.state
    assert before is not None
    ends: list[State | None] = []
    if known is not False:
        machine.state = before.copy() if known is None else before
        block(machine, statements(node.body.body if isinstance(node.body, cst.Else) else node.body))
        ends.append(machine.state)
    if known is not True:
        machine.state = before
        if known is None:
            _not_a_tensor(machine, node.test)
        _orelse(machine, node.orelse)
        ends.append(machine.state)
    machine.state = merge(ends)


def _not_a_tensor(machine: Machine, test: cst.BaseExpression) -> None:
    """Where `isinstance(v, torch.Tensor)` fails, `v` is something without a graph."""
    if not isinstance(test, cst.Call) or not test.args or not isinstance(test.args[0].value, cst.Name):
        return
    code = machine.code(test)
    asks = code.startswith(("isinstance(", "hasattr(")) and any(
        w in code for w in ("Tensor", "item", "detach")
    )
    if asks or code.startswith("torch.is_tensor("):
        bind(machine, test.args[0].value, SCALAR)


def _condition(machine: Machine, test: cst.BaseExpression) -> Value:
    if isinstance(test, cst.Comparison) and isinstance(test.left, cst.Name) and test.left.value == "__name__":
        return Const(True)
    value = evaluate(machine, test)
    if isinstance(value, External) and value.path in (
        "typing.TYPE_CHECKING",
        "typing_extensions.TYPE_CHECKING",
    ):
        return Const(False)
    return value if not isinstance(value, (Function, External)) else SCALAR


def _orelse(machine: Machine, orelse: cst.If | cst.Else | None) -> None:
    if isinstance(orelse, cst.If):
        execute(machine, orelse)
    elif orelse is not None:
        block(machine, statements(orelse.body))


def _for(machine: Machine, node: cst.For) -> None:
    values = evaluate(machine, node.iter)
    constants = _constants(values)
    if constants:
        _unrolled(machine, node, values, constants)
        return
    loop = machine.loop(node, 0, machine.code(node.iter), values)
    note_iteration(machine, values, loop)
    _looped(machine, loop, node, lambda: bind(machine, node.target, elements(machine, values, node.iter)))


def _constants(values: Value) -> tuple[Value, ...]:
    """The members of a short literal sequence of strings or flags, which is run member by member."""
    if isinstance(values, Ref):
        values = values.obj.args.get("constants", NONE)
    if (
        isinstance(values, Items)
        and 0 < len(values.items) <= UNROLL
        and all(isinstance(v, Const) and isinstance(v.value, (str, bool)) for v in values.items)
    ):
        return values.items
    return ()


def _unrolled(machine: Machine, node: cst.For, values: Value, constants: tuple[Value, ...]) -> None:
    variants = machine.variants
    for position, value in enumerate(constants):
        if machine.state is None:
            break
        machine.variants = (*variants, position + 1)
        loop = machine.loop(node, position + 1, machine.code(node.iter), values)
        _looped(machine, loop, node, lambda value=value: bind(machine, node.target, value), passes=1)  # type: ignore[misc]
    machine.variants = variants


def _while(machine: Machine, node: cst.While) -> None:
    endless = truth(evaluate(machine, node.test)) is True
    loop = machine.loop(node, 0, machine.code(node.test), None)
    _looped(machine, loop, node, lambda: evaluate(machine, node.test), endless=endless)


def _looped(
    machine: Machine,
    loop: Loop,
    node: cst.For | cst.While,
    begin: Callable[[], object],
    *,
    passes: int = 2,
    endless: bool = False,
) -> None:
    outer, grad = machine.loops, machine.state.grad if machine.state else "on"
    breaks: list[State] = []
    head = machine.state
    for _ in range(passes):
        if head is None:
            break
        machine.loops = (*outer, loop)
        machine.breaks.append([])
        machine.continues.append([])
        machine.state = head.copy()
        begin()
        block(machine, statements(node.body))
        breaks += machine.breaks.pop()
        edges = [*machine.continues.pop(), *([machine.state] if machine.state is not None else [])]
        for edge in edges:
            machine.settle(loop, edge)
        machine.loops = outer
        after = merge([e.copy() for e in edges])
        if after is not None and not machine.sticky_grad:
            after.grad = grad
        head = merge([head, after])
    machine.state = None if endless and breaks else head
    if machine.state is not None and node.orelse is not None:
        block(machine, statements(node.orelse.body))
    machine.state = merge([machine.state, *breaks])


def _with(machine: Machine, node: cst.With) -> None:
    assert machine.state is not None
    grad = machine.state.grad
    marks = [(lists, len(lists[-1])) for lists in (machine.breaks, machine.continues) if lists]
    returned = len(machine.returns[-1]) if machine.returns else 0
    mode = ""
    for with_item in node.items:
        value = evaluate(machine, with_item.item)
        mode = context_of(value) or _yielded_mode(value) or mode
        entered = _entered(machine, value)
        if with_item.asname is not None:
            bind(machine, with_item.asname.name, entered)
        if machine.state is not None and mode:
            machine.state.grad = mode
    block(machine, statements(node.body))
    if not mode:
        return
    # However the block is left, the grad mode of before is restored.
    states = (
        [machine.state, *(s for s, _ in machine.returns[-1][returned:])]
        if machine.returns
        else [machine.state]
    )
    for lists, length in marks:
        states += lists[-1][length:]
    for state in states:
        if state is not None:
            state.grad = grad


def _yielded_mode(value: Value) -> str:
    """The grad mode in which an own context manager (a generator) hands over to the block."""
    given = [o.obj.args.get("#grad") for o in options_of(value) if isinstance(o, Ref)]
    modes = {str(mode.value) for mode in given if isinstance(mode, Const)}
    return modes.pop() if len(modes) == 1 else ""


def _entered(machine: Machine, value: Value) -> Value:
    if isinstance(value, Ref) and value.obj.cls is not None:
        found = value.obj.cls.find("__enter__")
        if found is not None:
            return invoke(machine, Function(found[0], found[1], value), [], {}, value.obj.cls.node)
    return value


def _try(machine: Machine, node: cst.Try | cst.TryStar) -> None:
    before = machine.state
    assert before is not None
    start = before.copy()
    block(machine, statements(node.body))
    finished = machine.state
    ends: list[State | None] = []
    for handler in node.handlers:
        machine.state = merge([start.copy(), finished.copy() if finished is not None else None])
        if handler.name is not None:
            bind(machine, handler.name.name, SCALAR)
        block(machine, statements(handler.body))
        ends.append(machine.state)
    machine.state = finished
    if node.orelse is not None and machine.state is not None:
        block(machine, statements(node.orelse.body))
    machine.state = merge([machine.state, *ends])
    if node.finalbody is not None:
        reached = machine.state
        machine.state = reached if reached is not None else start
        block(machine, statements(node.finalbody.body))
        machine.state = machine.state if reached is not None else None


def _match(machine: Machine, node: cst.Match) -> None:
    evaluate(machine, node.subject)
    before = machine.state
    assert before is not None
    ends: list[State | None] = [before]
    for case in node.cases:
        machine.state = before.copy()
        for pattern in machine.names.walk(case.pattern):
            if isinstance(pattern, (cst.MatchAs, cst.MatchStar)) and pattern.name is not None:
                bind(machine, pattern.name, machine.unknown(pattern))
        block(machine, statements(case.body))
        ends.append(machine.state)
    machine.state = merge(ends)


def _function(machine: Machine, node: cst.FunctionDef) -> None:
    bind(machine, node.name, decorated(machine, Function(node, machine.frame), node))


def _class(machine: Machine, node: cst.ClassDef) -> None:
    bases = tuple(evaluate(machine, arg.value) for arg in node.bases)
    body = statements(node.body)
    methods = {s.name.value: s for s in body if isinstance(s, cst.FunctionDef)}
    info = ClassInfo(node, machine.frame, methods, bases, _fields(body))
    known = machine.classes.get(id(node))
    value = known if known is not None else Class(info)
    machine.classes[id(node)] = value
    space = machine.number("class", id(value.info))
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Name):
                    machine.write(
                        (space, "." + small.targets[0].target.value), evaluate(machine, small.value)
                    )
    bind(machine, node.name, value)


def _fields(body: Sequence[cst.CSTNode]) -> dict[str, cst.BaseExpression | None]:
    """The annotated fields of a NamedTuple or dataclass in order, with their defaults."""
    found: dict[str, cst.BaseExpression | None] = {}
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name):
                    found[small.target.value] = small.value
    return found


_HANDLERS: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.SimpleStatementLine: _line,
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated_assign,
    cst.AugAssign: _augmented,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Del: _delete,
    cst.Assert: _assert,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Match: _match,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
}

__all__ = ["attribute", "run"]
