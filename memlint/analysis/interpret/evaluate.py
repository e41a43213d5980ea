"""Abstract evaluation of expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

import libcst as cst

from memlint.analysis.interpret.attributes import attribute, evaluate_parts, lookup
from memlint.analysis.interpret.backwards import settle
from memlint.analysis.interpret.binding import bind
from memlint.analysis.interpret.by_hand import note_product
from memlint.analysis.interpret.call_trace import trace_call
from memlint.analysis.interpret.calls import call
from memlint.analysis.interpret.containers import (
    elements,
    item,
    new_container,
    new_list,
    note_iteration,
    record_store,
)
from memlint.analysis.interpret.contents import deep_ids, refine_member
from memlint.analysis.interpret.first_turns import in_first_turn
from memlint.analysis.interpret.loop_carried import end_on_one_path
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.operators import arithmetic, compare, cut
from memlint.analysis.interpret.state import CONTENT
from memlint.analysis.interpret.traits import of_attribute, of_call, of_operation, of_selection
from memlint.analysis.interpret.type_tests import denied_tensor, tested_for_none
from memlint.analysis.interpret.weights import is_weightless
from memlint.analysis.values import (
    NONE,
    SCALAR,
    Choice,
    Const,
    Function,
    Items,
    Kind,
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
from memlint.syntax.expressions import same
from memlint.syntax.tree import last_name

_WORDS = {"None": NONE, "True": Const(True), "False": Const(False)}


def evaluate(machine: Machine, node: cst.BaseExpression) -> Value:
    """The abstract value of an expression in the present state."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        return evaluate_parts(machine, node)
    return handler(machine, node)


def _name(machine: Machine, node: cst.Name) -> Value:
    if node.value in _WORDS:
        return _WORDS[node.value]
    return lookup(machine, node.value, node)


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
        # `literal_eval` leaves functions behind that refer to one another, 1 KiB until garbage is collected.
        return Const(float(text) if "." in text and text[:1].isdecimal() else ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return SCALAR


def _formatted(machine: Machine, node: cst.CSTNode) -> Value:
    evaluate_parts(machine, node)
    return Scalar("str")


def _attribute(machine: Machine, node: cst.Attribute) -> Value:
    owner, name = evaluate(machine, node.value), node.attr.value
    if not isinstance(owner, Choice):
        return of_attribute(owner, name, attribute(machine, owner, name, node))
    return choice(of_attribute(o, name, attribute(machine, o, name, node)) for o in owner.options)


def _subscript(machine: Machine, node: cst.Subscript) -> Value:
    owner = evaluate(machine, node.value)
    index: Value = SCALAR
    sliced = False
    for element in node.slice:
        if type(element.slice) is cst.Index:
            index = evaluate(machine, element.slice.value)
        else:
            evaluate_parts(machine, element.slice)
            sliced = True
    if len(node.slice) > 1:
        index = SCALAR
    elif isinstance(owner, Const) and isinstance(part := node.slice[0].slice, cst.Slice):
        return cut(owner, part)
    options = options_of(owner)
    if _takes_a_member(options, index):
        # Of what may be a tuple, `result[1]` is a member: it cuts no view out of what else it may be.
        options = tuple(replace(o, opaque=True) if isinstance(o, Tensor) else o for o in options)
    found = choice(
        of_selection(machine, option, index, node, item(machine, option, index, node, sliced=sliced))
        for option in options
    )
    return found if sliced else refine_member(machine, found, last_name(node.value), node)


def _takes_a_member(options: tuple[Value, ...], index: Value) -> bool:
    """Whether a value may be a tuple or a list, of which a literal index takes one member."""
    if not isinstance(index, Const) or not isinstance(index.value, int):
        return False
    return any(isinstance(o, Items) or (isinstance(o, Ref) and o.obj.kind == "list") for o in options)


def _binary(machine: Machine, node: cst.BinaryOperation) -> Value:
    left = evaluate(machine, node.left)
    right = evaluate(machine, node.right)
    result = of_operation((left, right), arithmetic(machine, left, right, node))
    if isinstance(node.operator, cst.MatrixMultiply):
        note_product(machine, [left, right], result, node)
    return result


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
    return of_operation((value,), arithmetic(machine, value, SCALAR, node))


def _boolean(machine: Machine, node: cst.BooleanOperation) -> Value:
    left = evaluate(machine, node.left)
    is_and = isinstance(node.operator, cst.And)
    # `net or Net()`: what callers give is a network by its name, and None where they give none.
    known = None if not is_and and _is_guess(left) else truth(left)
    if known is not None and known != is_and:
        return left
    right = evaluate(machine, node.right)
    if known is not None:
        return right
    if is_and:
        if truth(right) is False:
            return right
        return SCALAR if isinstance(right, (Const, Scalar)) else choice((SCALAR, right))
    return choice((left, right))


def _comparison(machine: Machine, node: cst.Comparison) -> Value:
    left = evaluate(machine, node.left)
    rights = [evaluate(machine, target.comparator) for target in node.comparisons]
    if len(rights) == 1:
        right, written = rights[0], node.comparisons[0].comparator
        if isinstance(right, Ref) and isinstance(written, (cst.List, cst.Set)):
            right = right.obj.args.get("constants", right)  # nothing else can have changed it
        known = compare(left, node.comparisons[0].operator, right)
        if known is not None:
            return Const(known)
    if any(kind_of(v) is not None for v in (left, *rights)):
        return of_operation((left, *rights), Tensor(Kind.INDEX))
    return SCALAR


def _conditional(machine: Machine, node: cst.IfExp) -> Value:
    known = truth(evaluate(machine, node.test))
    known = in_first_turn(machine, node.test) if known is None else known
    note_answer(machine, node.test, known)
    if known is True:
        return evaluate(machine, node.body)
    if known is False:
        return evaluate(machine, node.orelse)
    body, orelse = _branch(machine, node, holds=True), _branch(machine, node, holds=False)
    above = machine.names.parents.get(node)
    if type(above) is cst.Assign and machine.loops and not machine.quiet:
        for arm, value, other in ((node.body, body, orelse), (node.orelse, orelse, body)):
            if any(same(arm, target.target) for target in above.targets):
                end_on_one_path(machine, value, other)
    return join(body, orelse)


def note_answer(machine: Machine, test: cst.BaseExpression, known: bool | None) -> None:
    """Note that it is known here whether something is None, as it is in the first turn of a loop."""
    if known is not None and machine.loops and tested_for_none(test, holds=known) is not None:
        machine.answered.add(id(test))


def _branch(machine: Machine, node: cst.IfExp, holds: bool) -> Value:
    """One result of a conditional expression: `v` of `... if isinstance(v, Tensor) else v` has no graph."""
    branch = node.body if holds else node.orelse
    denied = denied_tensor(node.test, holds)
    value = evaluate(machine, branch)
    return SCALAR if denied is not None and same(branch, denied) else value


def _list(machine: Machine, node: cst.List | cst.Set) -> Value:
    made = new_list(machine, node)
    for element in node.elements:
        value = evaluate(machine, element.value)
        if type(element) is cst.StarredElement:
            value = elements(machine, value, node)
        machine.put(made.obj, value)
    direct = _direct(machine, node)
    if direct and all(isinstance(value, Const) for value in direct):
        made.obj.args["constants"] = Items(tuple(direct))
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
        if type(element) is cst.StarredElement:
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
        if type(element) is cst.DictElement:
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
        machine.heads.append((loop, machine.clock + 1, machine.clock + 1))
        started.append(loop)
        bind(machine, clause.target, elements(machine, values, clause.iter))
        for condition in clause.ifs:
            evaluate(machine, condition.test)
        clause = clause.inner_for_in
    if type(node) is cst.DictComp:
        evaluate(machine, node.key)
    value = evaluate(machine, element)
    record_store(machine, "store", node, (made.obj.id, CONTENT), node, value, element)
    machine.put(made.obj, value)
    if machine.state is not None:
        for loop in reversed(started):
            settle(machine, loop, machine.state)
    del machine.heads[-len(started) :]
    machine.loops = outer
    return made


def _call(machine: Machine, node: cst.Call) -> Value:
    func = evaluate(machine, node.func)
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    passed: list[tuple[cst.BaseExpression, frozenset[int]]] = []
    for arg in node.args:
        value = evaluate(machine, arg.value)
        passed.append((arg.value, deep_ids(machine, value)))
        if machine.loops and not machine.quiet:
            machine.trace.argument_values.setdefault(arg.value, []).append(value)
        if arg.star == "*":
            args.extend(value.items if isinstance(value, Items) else [elements(machine, value, arg)])
        elif arg.star == "**":
            _spread_keywords(machine, value, keywords)
        elif arg.keyword is not None:
            keywords[arg.keyword.value] = value
        else:
            args.append(value)
    if machine.loops and not machine.quiet:
        machine.trace.passed_arguments[(id(node), machine.frame.id)] = passed
    if not machine.quiet:
        trace_call(machine, func, args, keywords, node)
    if not isinstance(func, Choice):
        return of_call(machine, func, args, keywords, node, call(machine, func, args, keywords, node))
    return choice(
        of_call(machine, option, args, keywords, node, call(machine, option, args, keywords, node))
        for option in _likely(machine, func)
    )


def _likely(machine: Machine, func: Choice) -> Sequence[Value]:
    """What a call may run; `self.stft = stft or Spectrum()` has no weights in either case, where the module
    that stands in for what callers give has none."""
    modules = [o for o in func.options if isinstance(o, Ref) and o.obj.kind == "module"]
    made = [o for o in modules if o.obj.cls is not None]
    if not made or not all(is_weightless(machine, o.obj) for o in made):
        return func.options
    return [o for o in func.options if not isinstance(o, Unknown) and not _is_guess(o)]


def _is_guess(value: Value) -> bool:
    return isinstance(value, Ref) and value.obj.kind == "module" and value.obj.by_name


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
    if machine.frame.entry and not machine.quiet:
        machine.trace.escaped |= machine.trace.ancestors(deep_ids(machine, value))
    generator = machine.yields[-1] if machine.yields else None
    if generator is not None and machine.state is not None:
        if machine.state.grad != "on":
            generator.args["#grad"] = Const(machine.state.grad)
        if machine.regions:
            generator.args["#cast"] = machine.regions[-1].cast
        shown = node.value if isinstance(node.value, cst.BaseExpression) else node
        record_store(machine, "store", node, (generator.id, CONTENT), node, value, shown)
        machine.put(generator, value)
    return SCALAR


def _await(machine: Machine, node: cst.Await) -> Value:
    return evaluate(machine, node.expression)


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
