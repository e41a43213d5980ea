"""Abstract evaluation of expressions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

import libcst as cst

from memlint.analysis import guesses, libraries
from memlint.analysis.calls import call
from memlint.analysis.containers import (
    elements,
    entry,
    graded,
    item,
    keep,
    new_container,
    new_list,
    note_iteration,
)
from memlint.analysis.facts import Loop
from memlint.analysis.machine import CONTENT, Machine, deep_ids, refine
from memlint.analysis.methods import set_parameter
from memlint.analysis.tree import children, root_name
from memlint.analysis.values import (
    NO_IDS,
    NONE,
    SCALAR,
    Choice,
    Class,
    Const,
    Context,
    External,
    Function,
    Items,
    Kind,
    Method,
    Params,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    choice,
    join,
    kind_of,
    options_of,
    truth,
)

_NO_GRAD_NAME = re.compile(r"no_?grad|inference_?mode", re.IGNORECASE)


def evaluate(machine: Machine, node: cst.BaseExpression) -> Value:
    """The abstract value of an expression in the present state."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        return _parts(machine, node)
    return handler(machine, node)


def _parts(machine: Machine, node: cst.CSTNode) -> Value:
    """Evaluate what lies below for its effects; the result itself is of no interest."""
    for child in children(node):
        if isinstance(child, cst.BaseExpression):
            evaluate(machine, child)
        else:
            _parts(machine, child)
    return SCALAR


# --- names and literals -----------------------------------------------------------------------


_KEYWORDS = {"None": NONE, "True": Const(True), "False": Const(False)}


def _name(machine: Machine, node: cst.Name) -> Value:
    if node.value in _KEYWORDS:
        return _KEYWORDS[node.value]
    return lookup(machine, node.value, node)


def lookup(machine: Machine, name: str, node: cst.CSTNode) -> Value:
    """The value that a name has here: local, enclosing, global, imported or builtin."""
    frame = machine.frame
    if frame.outer.get(name) == "global":
        while frame.lexical is not None:
            frame = frame.lexical
    scope: object = frame
    while scope is not None:
        value = machine.read((scope.id, name))  # type: ignore[attr-defined]
        if value is not None:
            return refine(machine, value, name, node)
        scope = scope.lexical  # type: ignore[attr-defined]
    paths = machine.names.qualified(node)
    if paths:
        return choice(External(p) for p in sorted(paths))
    if name in libraries.BUILTINS and machine.names.scope_of(node).owner(name) is None:
        return External(f"builtins.{name}")
    return refine(machine, Unknown(NO_IDS, machine.number("name", name, machine.frame.id)), name, node)


def _constant(machine: Machine, node: cst.BaseExpression) -> Value:
    known = machine.constants.get(id(node))
    if known is None:
        known = machine.constants[id(node)] = _literal(getattr(node, "value", ""))
    return known


def _literal(text: str) -> Value:
    if text.isdecimal():
        return Const(int(text))
    if text[:1] in "'\"" and "\\" not in text and text[1:2] != text[:1]:
        return Const(text[1:-1])
    try:
        return Const(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return SCALAR


def _formatted(machine: Machine, node: cst.CSTNode) -> Value:
    _parts(machine, node)
    return Scalar("str")


# --- attributes and subscripts ----------------------------------------------------------------


def _attribute(machine: Machine, node: cst.Attribute) -> Value:
    owner = evaluate(machine, node.value)
    return choice(attribute(machine, option, node.attr.value, node) for option in options_of(owner))


def attribute(machine: Machine, owner: Value, name: str, node: cst.CSTNode) -> Value:
    """The value of `owner.name`."""
    if isinstance(owner, External):
        path = f"{owner.path}.{name}"
        return External(libraries.ALIASES.get(path, path))
    if isinstance(owner, Ref):
        return _object_attribute(machine, owner, name, node)
    if isinstance(owner, Tensor):
        return _tensor_attribute(machine, owner, name, node)
    if isinstance(owner, Class):
        return _class_attribute(machine, owner, name, None, node)
    if isinstance(owner, Params) and name in ("grad", "data"):
        return Tensor(Kind.DETACHED)
    if isinstance(owner, Params) and name in libraries.SCALAR_ATTRIBUTES:
        return SCALAR
    if isinstance(owner, (Scalar, Const)):
        return Method(owner, name, machine.code(node)) if name in libraries.STRING_METHODS else SCALAR
    if isinstance(owner, Unknown) and name in libraries.SCALAR_ATTRIBUTES:
        return SCALAR
    if isinstance(owner, Unknown) and name in ("data", "grad"):
        return Tensor(Kind.DETACHED)
    if isinstance(owner, Unknown) and not _is_called(machine, node):
        return machine.unknown(node, owner.ids, light=True, hint=owner.hint)
    return Method(owner, name, machine.code(node))


def _is_called(machine: Machine, node: cst.CSTNode) -> bool:
    parent = machine.names.parents.get(node)
    return isinstance(parent, cst.Call) and parent.func is node


def _tensor_attribute(machine: Machine, owner: Tensor, name: str, node: cst.CSTNode) -> Value:
    if name in libraries.SCALAR_ATTRIBUTES:
        return SCALAR
    if name in ("data", "grad"):
        return Tensor(Kind.DETACHED)
    if name in ("T", "mT", "H", "real", "imag"):
        return machine.tensor(owner.kind, node, owner.ids, light=True)
    if owner.opaque and not _is_called(machine, node):
        return item(machine, owner, Const(name), node)
    return Method(owner, name, machine.code(node))


def _object_attribute(machine: Machine, owner: Ref, name: str, node: cst.CSTNode) -> Value:
    obj = owner.obj
    value = machine.attribute(obj, name)
    if value == NONE and obj.kind == "instance":
        # What a constructor leaves at None, some method that was not run will set.
        later = refine(machine, Unknown(NO_IDS, machine.number("attribute", obj.id, name)), name, node)
        return choice((NONE, later))
    if value is not None:
        return refine(machine, value, name, node)
    if obj.cls is not None:
        found = _class_attribute(machine, Class(obj.cls), name, owner, node)
        if not isinstance(found, Unknown):
            return found
    if obj.kind == "module" and name == "module":
        return owner
    if name in libraries.METHODS or obj.kind in ("list", "dict", "optimizer", "scaler"):
        return Method(owner, name, machine.code(node))
    guess = refine(machine, Unknown(NO_IDS, machine.number("attribute", obj.id, name)), name, node)
    if isinstance(guess, Ref):
        return guess
    if obj.kind == "namespace":
        return SCALAR
    if not _is_called(machine, node) and obj.kind in ("instance", "module", "namespace"):
        return Unknown(NO_IDS, machine.number("attribute", obj.id, name))
    return Method(owner, name, machine.code(node))


def _class_attribute(
    machine: Machine, owner: Class, name: str, bound: Value | None, node: cst.CSTNode
) -> Value:
    found = owner.info.find(name)
    if found is not None:
        definition, frame = found
        decorators = {machine.code(d.decorator) for d in definition.decorators}
        plain = Function(definition, frame, None if "staticmethod" in decorators else bound or owner)
        function = decorated(machine, plain, definition)
        properties = {"property", "functools.cached_property", "cached_property"}
        if bound is not None and decorators & properties and isinstance(function, Function):
            return machine.invoke(function, [], {}, node)
        return function
    value = machine.read((machine.number("class", id(owner.info)), "." + name))
    if value is not None:
        return value
    for base in owner.info.bases:
        if isinstance(base, Class):
            inherited = _class_attribute(machine, base, name, bound, node)
            if not isinstance(inherited, Unknown):
                return inherited
    return Unknown(NO_IDS, machine.number("class attribute", id(owner.info), name))


def _subscript(machine: Machine, node: cst.Subscript) -> Value:
    owner = evaluate(machine, node.value)
    index: Value = SCALAR
    sliced = False
    for element in node.slice:
        if isinstance(element.slice, cst.Index):
            index = evaluate(machine, element.slice.value)
        else:
            _parts(machine, element.slice)
            sliced = True
    if len(node.slice) > 1:
        index = SCALAR
    return choice(item(machine, option, index, node, sliced=sliced) for option in options_of(owner))


# --- operators --------------------------------------------------------------------------------


def _binary(machine: Machine, node: cst.BinaryOperation) -> Value:
    left = evaluate(machine, node.left)
    right = evaluate(machine, node.right)
    return arithmetic(machine, left, right, node)


def arithmetic(machine: Machine, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """The result of an arithmetic operation on two values."""
    if isinstance(left, Items) and isinstance(right, Items):
        return Items(left.items + right.items)
    lists = [v for v in (left, right) if isinstance(v, Ref) and v.obj.kind == "list"]
    if lists:
        return _concatenated(machine, left, right, lists, node)
    if isinstance(left, Params) and isinstance(right, Params) and not (left.single or right.single):
        return Params(left.owners | right.owners)
    kinds = [k for v in (left, right) if (k := kind_of(v)) is not None]
    ids = deep_ids(machine, left) | deep_ids(machine, right)
    if any(isinstance(v, Params) for v in (left, right)) and machine.state is not None:
        kinds.append(Kind.DETACHED if machine.state.grad == "off" else Kind.GRAPH)
    unknown = any(isinstance(o, (Unknown, Method)) for v in (left, right) for o in options_of(v))
    if kinds and (max(kinds) >= Kind.MAYBE or not unknown):
        kind = graded(machine, max(kinds))
        result: Tensor | Unknown = machine.tensor(max(kind, Kind.INDEX), node, ids, light=True)
    elif unknown:
        result = machine.unknown(node, ids, light=True)
    else:
        return SCALAR
    _limit_proof(machine, result, left, right, node)
    return result


def _limit_proof(
    machine: Machine, result: Tensor | Unknown, left: Value, right: Value, node: cst.CSTNode
) -> None:
    """A backward through `loss / n` shows that `loss` is a tensor; of `n` it shows nothing."""
    operator = getattr(node, "operator", None)
    if isinstance(operator, (cst.Divide, cst.DivideAssign)):
        shown = deep_ids(machine, left)
    elif isinstance(operator, (cst.Multiply, cst.MultiplyAssign)):
        shown = frozenset().union(*(deep_ids(machine, v) for v in (left, right) if kind_of(v) is not None))
    else:
        return
    for number in result.ids if shown else ():
        machine.trace.proof[number] = shown


def _concatenated(machine: Machine, left: Value, right: Value, lists: list[Ref], node: cst.CSTNode) -> Value:
    fresh = new_list(machine, node)
    for side in (left, right):
        if isinstance(side, Ref) and side.obj.kind == "list":
            inner = machine.content(side.obj)
            if inner is not None:
                machine.put(fresh.obj, inner)
    return fresh


def _unary(machine: Machine, node: cst.UnaryOperation) -> Value:
    value = evaluate(machine, node.expression)
    if isinstance(node.operator, cst.Not):
        known = truth(value)
        return Const(not known) if known is not None else SCALAR
    if (
        isinstance(value, Const)
        and isinstance(node.operator, cst.Minus)
        and isinstance(value.value, (int, float))
    ):
        return Const(-value.value)
    return arithmetic(machine, value, SCALAR, node)


def _boolean(machine: Machine, node: cst.BooleanOperation) -> Value:
    left = evaluate(machine, node.left)
    known = truth(left)
    is_and = isinstance(node.operator, cst.And)
    if known is not None and known != is_and:
        return left
    right = evaluate(machine, node.right)
    if known is not None:
        return right
    if is_and:
        return (
            right
            if truth(right) is False
            else choice((SCALAR, right))
            if not isinstance(right, (Const, Scalar))
            else SCALAR
        )
    return choice((left, right))


def _comparison(machine: Machine, node: cst.Comparison) -> Value:
    left = evaluate(machine, node.left)
    rights = [evaluate(machine, target.comparator) for target in node.comparisons]
    if len(rights) == 1:
        known = _compare(left, node.comparisons[0].operator, rights[0])
        if known is not None:
            return Const(known)
    if any(kind_of(v) is not None for v in (left, *rights)):
        return Tensor(Kind.INDEX)
    return SCALAR


def _compare(left: Value, operator: cst.BaseCompOp, right: Value) -> bool | None:
    if isinstance(operator, (cst.Is, cst.IsNot)) and right == NONE:
        known = _is_none(left)
        return known if known is None or isinstance(operator, cst.Is) else not known
    if isinstance(left, Const) and isinstance(right, Const):
        if isinstance(operator, cst.Equal):
            return left.value == right.value
        if isinstance(operator, cst.NotEqual):
            return left.value != right.value
    if (
        isinstance(left, Const)
        and isinstance(right, Items)
        and all(isinstance(v, Const) for v in right.items)
    ):
        held = left in right.items
        if isinstance(operator, cst.In):
            return held
        if isinstance(operator, cst.NotIn):
            return not held
    return None


def _is_none(value: Value) -> bool | None:
    if isinstance(value, Choice):
        found = {_is_none(v) for v in value.options}
        return found.pop() if len(found) == 1 else None
    if isinstance(value, Const):
        return value.value is None
    if (
        isinstance(value, Unknown)
        or (isinstance(value, Scalar) and not value.what)
        or isinstance(value, (Method, External))
    ):
        return None
    if isinstance(value, Ref) and value.obj.guessed:
        return None
    return False


def _conditional(machine: Machine, node: cst.IfExp) -> Value:
    known = truth(evaluate(machine, node.test))
    if known is True:
        return evaluate(machine, node.body)
    if known is False:
        return evaluate(machine, node.orelse)
    return join(evaluate(machine, node.body), evaluate(machine, node.orelse))


# --- displays and comprehensions --------------------------------------------------------------


def _list(machine: Machine, node: cst.List | cst.Set) -> Value:
    made = new_list(machine, node)
    for element in node.elements:
        value = evaluate(machine, element.value)
        if isinstance(element, cst.StarredElement):
            value = elements(machine, value, node)
        machine.put(made.obj, value)
    if all(isinstance(machine_value, Const) for machine_value in _direct(machine, node)) and node.elements:
        made.obj.args["constants"] = Items(tuple(_direct(machine, node)))
    return made


def _direct(machine: Machine, node: cst.List | cst.Set | cst.Tuple) -> list[Value]:
    return [
        _constant(machine, e.value) if isinstance(e.value, (cst.SimpleString, cst.Integer)) else SCALAR
        for e in node.elements
    ]


def _tuple(machine: Machine, node: cst.Tuple) -> Value:
    values: list[Value] = []
    for element in node.elements:
        value = evaluate(machine, element.value)
        if isinstance(element, cst.StarredElement):
            if isinstance(value, Items):
                values.extend(value.items)
                continue
            made = new_list(machine, node)
            machine.put(made.obj, elements(machine, value, node))
            return made
        values.append(value)
    return Items(tuple(values))


def _dict(machine: Machine, node: cst.Dict) -> Value:
    made = new_container(machine, "dict", node)
    for element in node.elements:
        value = evaluate(machine, element.value)
        if isinstance(element, cst.DictElement):
            key = evaluate(machine, element.key)
            if isinstance(key, Const):
                machine.write((made.obj.id, f"[{key.value!r}]"), value)
            else:
                machine.put(made.obj, value)
        elif isinstance(value, Ref):
            for name, inner in machine.entries(value.obj):
                machine.write((made.obj.id, name), inner)
    return made


def _comprehension(machine: Machine, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> Value:
    return _comprehend(machine, node, node.elt, "list")


def _dict_comprehension(machine: Machine, node: cst.DictComp) -> Value:
    return _comprehend(machine, node, node.value, "dict")


def _comprehend(machine: Machine, node: cst.BaseComp, element: cst.BaseExpression, kind: str) -> Value:
    made = new_container(machine, kind, node)
    outer = machine.loops
    clause: cst.CompFor | None = node.for_in
    started = []
    while clause is not None:
        values = evaluate(machine, clause.iter)
        loop = machine.loop(clause, 0, machine.code(clause.iter), values)
        note_iteration(machine, values, loop)
        machine.loops = (*machine.loops, loop)
        started.append(loop)
        bind(machine, clause.target, elements(machine, values, clause.iter))
        for condition in clause.ifs:
            evaluate(machine, condition.test)
        clause = clause.inner_for_in
    if isinstance(node, cst.DictComp):
        evaluate(machine, node.key)
    value = evaluate(machine, element)
    keep(machine, "store", node, (made.obj.id, CONTENT), machine.code(node), value, element)
    machine.put(made.obj, value)
    if machine.state is not None:
        for loop in reversed(started):
            machine.settle(loop, machine.state)
    machine.loops = outer
    return made


# --- binding and keeping ----------------------------------------------------------------------


def bind(machine: Machine, target: cst.BaseExpression, value: Value) -> None:
    """Assign a value to a name, attribute, subscript or pattern of them."""
    if isinstance(target, cst.Name):
        _bind_name(machine, target, value)
    elif isinstance(target, cst.Attribute):
        _bind_attribute(machine, target, value)
    elif isinstance(target, cst.Subscript):
        _bind_item(machine, target, value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(machine, target.elements, value)
    elif isinstance(target, cst.StarredElement):
        bind(machine, target.value, value)


def _bind_name(machine: Machine, target: cst.Name, value: Value) -> None:
    name = target.value
    frame = machine.frame
    how = frame.outer.get(name)
    if how == "global":
        while frame.lexical is not None:
            frame = frame.lexical
    elif how == "nonlocal":
        outer = frame.lexical
        while outer is not None and machine.read((outer.id, name)) is None:
            outer = outer.lexical
        frame = outer or frame
    machine.write((frame.id, name), refine(machine, value, name, target))


def _bind_attribute(machine: Machine, target: cst.Attribute, value: Value) -> None:
    owner = evaluate(machine, target.value)
    name = target.attr.value
    for option in options_of(owner):
        if isinstance(option, Ref):
            machine.write((option.obj.id, "." + name), refine(machine, value, name, target))
        elif isinstance(option, Params):
            set_parameter(machine, option, name, value, target)
        elif isinstance(option, (Tensor, Unknown, Method)) and name == "requires_grad":
            _wants_grad(machine, value)
        elif isinstance(option, Unknown) and name == "grad":
            set_parameter(machine, Params(frozenset()), name, value, target)
        elif isinstance(option, Class):
            machine.write((machine.number("class", id(option.info)), "." + name), value)


def _bind_item(machine: Machine, target: cst.Subscript, value: Value) -> None:
    owner = evaluate(machine, target.value)
    index: Value = SCALAR
    for element in target.slice:
        if isinstance(element.slice, cst.Index):
            index = evaluate(machine, element.slice.value)
        else:
            _parts(machine, element.slice)
    for option in options_of(owner):
        if not isinstance(option, Ref) or option.obj.kind not in ("list", "dict"):
            continue
        if isinstance(index, Const):
            machine.write((option.obj.id, f"[{index.value!r}]"), value)
            continue
        loop = _index_loop(machine, target)
        if loop is not None:
            key = (option.obj.id, CONTENT)
            only = loop if option.obj.kind == "list" or _repeats(loop) else None
            keep(
                machine,
                "store",
                target,
                key,
                machine.code(target.value),
                value,
                target,
                obj=option.obj,
                only=only,
            )
        machine.put(option.obj, value)


def _wants_grad(machine: Machine, value: Value) -> None:
    if truth(value) is not False:
        machine.trace.wants_grad = True


def _repeats(loop: Loop) -> bool:
    """Whether a loop runs through the same keys each time: counters and names, not keys from the data."""
    return any(
        word in loop.source for word in ("range(", "enumerate(", "named_", ".items()", ".keys()", "names")
    )


def _index_loop(machine: Machine, target: cst.Subscript) -> Loop | None:
    """The running loop with whose iterations the key of `box[key] = v` changes."""
    names = {n.value for n in machine.names.walk(target) if isinstance(n, cst.Name)} - {root_name(target)}
    for loop in reversed(machine.loops):
        if isinstance(loop.node, cst.For):
            changing = {n.value for n in machine.names.walk(loop.node.target) if isinstance(n, cst.Name)}
        else:
            sums = (n.target for n in machine.names.walk(loop.node) if isinstance(n, cst.AugAssign))
            changing = {t.value for t in sums if isinstance(t, cst.Name)}
        if names & changing:
            return loop
    return None


def decorated(machine: Machine, function: Function, definition: cst.FunctionDef) -> Value:
    """A function as its decorators leave it: grad contexts are understood, decorators of the file are run."""
    value: Value = function
    if definition.name.value in machine.wrapped_off:
        value = Function(function.node, function.frame, function.bound, "off")
    for decorator in reversed(definition.decorators):
        wrapper = evaluate(machine, decorator.decorator)
        if isinstance(wrapper, External) and wrapper.path in libraries.GRAD_CONTEXTS:
            wrapper = Context(libraries.GRAD_CONTEXTS[wrapper.path])
        if isinstance(wrapper, Context) and isinstance(value, Function):
            value = Function(value.node, value.frame, value.bound, wrapper.grad)
        elif isinstance(wrapper, Function) and isinstance(value, Function):
            result = call(machine, wrapper, [value], {}, decorator)
            value = result if isinstance(result, Function) else value
        elif isinstance(value, Function) and _NO_GRAD_NAME.search(machine.code(decorator.decorator)):
            value = Function(value.node, value.frame, value.bound, "off")
    return value


def _unpack(machine: Machine, targets: Sequence[cst.BaseElement], value: Value) -> None:
    if isinstance(value, Choice):
        fitting = [v for v in value.options if isinstance(v, Items) and len(v.items) == len(targets)]
        if fitting and len(fitting) == len([v for v in value.options if v != NONE]):
            merged: Value = fitting[0]
            for other in fitting[1:]:
                merged = join(merged, other)
            value = merged
    stars = [i for i, e in enumerate(targets) if isinstance(e, cst.StarredElement)]
    if isinstance(value, Items) and len(stars) == 1 and len(value.items) >= len(targets) - 1:
        rest = len(value.items) - len(targets) + 1
        cut = stars[0]
        middle = Items(value.items[cut : cut + rest])
        value = Items((*value.items[:cut], middle, *value.items[cut + rest :]))
    if isinstance(value, Items) and len(value.items) == len(targets):
        for element, member in zip(targets, value.items, strict=True):
            bind(machine, element.value, member)
        return
    for position, element in enumerate(targets):
        bind(machine, element.value, _member(machine, value, position, element.value))


def _member(machine: Machine, value: Value, position: int, target: cst.BaseExpression) -> Value:
    if isinstance(value, Tensor):
        kind = value.kind
        if kind >= Kind.MAYBE and value.opaque:
            name = target.value if isinstance(target, cst.Name) else ""
            kind = Kind.DETACHED if name and guesses.plain_name(name) else kind
        if kind >= Kind.MAYBE:
            member = machine.tensor(kind, target, value.ids, light=True)
            machine.trace.members |= member.ids
            return member
        return Tensor(kind, NO_IDS, value.opaque)
    if isinstance(value, Unknown):
        unknown = machine.unknown(target, value.ids, hint=value.hint, light=True)
        machine.trace.members |= unknown.ids
        return unknown
    if isinstance(value, Ref) and value.obj.kind == "list":
        return entry(machine, value.obj, Const(position), target)
    return elements(machine, value, target)


# --- the rest ---------------------------------------------------------------------------------


def _call(machine: Machine, node: cst.Call) -> Value:
    func = evaluate(machine, node.func)
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    passed: list[tuple[cst.BaseExpression, frozenset[int]]] = []
    for arg in node.args:
        value = evaluate(machine, arg.value)
        passed.append((arg.value, deep_ids(machine, value)))
        if arg.star == "*":
            args.extend(value.items if isinstance(value, Items) else [_spread(machine, value, arg)])
        elif arg.star == "**":
            _spread_keywords(machine, value, keywords)
        elif arg.keyword is not None:
            keywords[arg.keyword.value] = value
        else:
            args.append(value)
    if machine.loops and not machine.quiet:
        machine.trace.passed[(id(node), machine.frame.id)] = passed
    return choice(call(machine, option, args, keywords, node) for option in options_of(func))


def _spread(machine: Machine, value: Value, arg: cst.Arg) -> Value:
    return elements(machine, value, arg)


def _spread_keywords(machine: Machine, value: Value, keywords: dict[str, Value]) -> None:
    known = False
    for option in options_of(value):
        if isinstance(option, Ref) and option.obj.kind == "dict":
            for name, inner in machine.entries(option.obj):
                if name.startswith("['"):
                    keywords[name[2:-2]] = inner
                    known = True
    if not known or isinstance(value, Choice):
        keywords["**"] = value


def _lambda(machine: Machine, node: cst.Lambda) -> Value:
    return Function(node, machine.frame)


def _walrus(machine: Machine, node: cst.NamedExpr) -> Value:
    value = evaluate(machine, node.value)
    bind(machine, node.target, value)
    return value


def _yield(machine: Machine, node: cst.Yield) -> Value:
    value: Value = NONE
    if isinstance(node.value, cst.From):
        value = elements(machine, evaluate(machine, node.value.item), node)
    elif node.value is not None:
        value = evaluate(machine, node.value)
    generator = machine.yields[-1] if machine.yields else None
    if generator is not None and machine.state is not None:
        if machine.state.grad != "on":
            generator.args["#grad"] = Const(machine.state.grad)
        shown = node.value if isinstance(node.value, cst.BaseExpression) else node
        keep(machine, "store", node, (generator.id, CONTENT), machine.code(node), value, shown)
        machine.put(generator, value)
    return SCALAR


def _await(machine: Machine, node: cst.Await) -> Value:
    return evaluate(machine, node.expression)


def context_of(value: Value) -> str:
    """The grad mode that a context manager sets, "" when it sets none."""
    modes = {v.grad for v in options_of(value) if isinstance(v, Context)}
    modes |= {
        libraries.GRAD_CONTEXTS[v.path]
        for v in options_of(value)
        if isinstance(v, External) and v.path in libraries.GRAD_CONTEXTS
    }
    if not modes:
        return ""
    return modes.pop() if len(modes) == 1 and len(options_of(value)) == 1 else "maybe"


_HANDLERS: dict[type[cst.CSTNode], Callable[..., Value]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Subscript: _subscript,
    cst.Call: _call,
    cst.Integer: _constant,
    cst.Float: _constant,
    cst.SimpleString: _constant,
    cst.ConcatenatedString: _formatted,
    cst.FormattedString: _formatted,
    cst.BinaryOperation: _binary,
    cst.UnaryOperation: _unary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.List: _list,
    cst.Set: _list,
    cst.Tuple: _tuple,
    cst.Dict: _dict,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _dict_comprehension,
    cst.Lambda: _lambda,
    cst.NamedExpr: _walrus,
    cst.Yield: _yield,
    cst.Await: _await,
}

__all__ = ["arithmetic", "attribute", "bind", "context_of", "decorated", "evaluate", "lookup"]
