"""Abstract execution of statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import or_

import libcst as cst

from memlint.analysis.facts import Loop
from memlint.analysis.interpret.accumulate import changes_in_place
from memlint.analysis.interpret.assignments import assign, assign_annotated, assign_augmented, delete
from memlint.analysis.interpret.autocasts import open_region
from memlint.analysis.interpret.averages import note_in_place
from memlint.analysis.interpret.backwards import settle
from memlint.analysis.interpret.binding import bind, take_for
from memlint.analysis.interpret.call_trace import trace_import
from memlint.analysis.interpret.containers import elements, note_iteration
from memlint.analysis.interpret.contents import deep_ids
from memlint.analysis.interpret.definitions import define_class, define_function
from memlint.analysis.interpret.evaluate import evaluate, note_answer
from memlint.analysis.interpret.first_turns import in_first_turn
from memlint.analysis.interpret.grad_modes import context_of, mode_by_name, yielded_mode
from memlint.analysis.interpret.limits import TWICE_IN
from memlint.analysis.interpret.machine import Machine
from memlint.analysis.interpret.state import State, age, merge
from memlint.analysis.interpret.type_tests import denied_tensor, tested_for_none
from memlint.analysis.values import (
    NONE,
    SCALAR,
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
    options_of,
    truth,
)
from memlint.syntax.expressions import literal
from memlint.syntax.tree import dotted, statements

# How many literal strings or flags a loop may run through to be run one by one.
_UNROLL = 4
_TYPE_CHECKING = ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")
_EXITS = ("sys.exit", "exit", "quit", "os._exit")


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
    changes_in_place(machine, node.value, value)
    note_in_place(machine, node.value)
    _detach_in_place(machine, node.value)
    if type(node.value) is cst.Call and dotted(node.value.func) in _EXITS:
        _leave(machine)


def _detach_in_place(machine: Machine, node: cst.BaseExpression) -> None:
    """From `loss.detach_()` on, or `x.detach_(), loss.detach_()`, the variables are without their graphs."""
    for part in (element.value for element in node.elements) if isinstance(node, cst.Tuple) else (node,):
        func = part.func if isinstance(part, cst.Call) else None
        if isinstance(func, cst.Attribute) and func.attr.value == "detach_":
            options = options_of(evaluate(machine, func.value))
            tensors = [option for option in options if isinstance(option, (Tensor, Unknown))]
            if tensors:
                # The call shows that it is none of the rest, such as None before the first pass.
                traits = reduce(or_, (tensor.traits for tensor in tensors))
                take_for(machine, func.value, Tensor(Kind.DETACHED, traits=traits))


def _leave(machine: Machine) -> None:
    """The path ends here; at the top level, functions run later with the names known so far."""
    if machine.frame.lexical is None and machine.state is not None:
        machine.last_vars = machine.state.vars
    machine.state = None


def _leaves_file(frame: Frame) -> bool:
    """Whether what a function returns reaches code out of this file: nothing here calls it, or a base class
    of another module does."""
    called_from_outside = frame.caller is not None and frame.caller.cross_module and not frame.cross_module
    return frame.entry or called_from_outside


def _return(machine: Machine, node: cst.Return) -> None:
    value = evaluate(machine, node.value) if node.value is not None else NONE
    if _leaves_file(machine.frame) and not machine.quiet:
        machine.trace.escaped |= machine.trace.ancestors(deep_ids(machine, value))
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


def _assert(machine: Machine, node: cst.Assert) -> None:
    evaluate(machine, node.test)


def _if(machine: Machine, node: cst.If) -> None:
    known = truth(_condition(machine, node.test))
    known = in_first_turn(machine, node.test) if known is None else known
    note_answer(machine, node.test, known)
    before = machine.state
    assert before is not None
    ends: list[State | None] = []
    if known is not False:
        machine.state = before.copy() if known is None else before
        if known is None:
            _not_a_tensor(machine, node.test, holds=True)
        block(machine, statements(node.body.body if isinstance(node.body, cst.Else) else node.body))
        ends.append(machine.state)
    if known is not True:
        machine.state = before
        if known is None:
            _not_a_tensor(machine, node.test, holds=False)
        _orelse(machine, node.orelse)
        ends.append(machine.state)
    machine.state = merge(ends)


def _not_a_tensor(machine: Machine, test: cst.BaseExpression, holds: bool) -> None:
    """In the branch that says so, the name that a test asks about is something without a graph."""
    denied, none = denied_tensor(test, holds), tested_for_none(test, holds)
    if type(denied) is cst.Name:
        bind(machine, denied, SCALAR)
    elif type(none) is cst.Name or type(none) is cst.Attribute:
        take_for(machine, none, NONE)


def _condition(machine: Machine, test: cst.BaseExpression) -> Value:
    if type(test) is cst.Comparison and type(test.left) is cst.Name and test.left.value == "__name__":
        return Const(True)
    value = evaluate(machine, test)
    if isinstance(value, External) and value.path in _TYPE_CHECKING:
        return Const(False)
    return value if not isinstance(value, (Function, External)) else SCALAR


def _orelse(machine: Machine, orelse: cst.If | cst.Else | None) -> None:
    if type(orelse) is cst.If:
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
    generator = machine.yields[-1] if machine.yields else None
    if generator is not None:
        generator.args["over"] = join(generator.args.get("over", values), values)
    _looped(machine, loop, node, lambda: bind(machine, node.target, elements(machine, values, node.iter)))


def _constants(values: Value) -> tuple[Value, ...]:
    """The members of a short literal sequence of strings or flags, which is run member by member."""
    if isinstance(values, Ref):
        values = values.obj.args.get("constants", NONE)
    if (
        isinstance(values, Items)
        and 0 < len(values.items) <= _UNROLL
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
        _looped(machine, loop, node, partial(bind, machine, node.target, value), passes=1)
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
    passes = passes if len(outer) < TWICE_IN else 1
    head, first = machine.state, machine.clock + 1
    number, known = -1, set[int]()
    while (number := number + 1) < passes and head is not None:
        around, machine.answered = machine.answered, set()
        machine.loops = (*outer, loop)
        machine.state = head.copy()
        if passes > 1:
            machine.turns[loop] = number
        if number:
            machine.heads.append((loop, machine.clock + 1, first))
        edges = _turn(machine, loop, node, begin, breaks)
        if number:
            machine.heads.pop()
        machine.loops = outer
        if number == 1 and known - machine.answered:
            passes = 3  # a branch for the first turn only: what the others run has not been run twice
        known, machine.answered = machine.answered, around | machine.answered
        after = merge(edges)
        if after is not None and not machine.sticky_grad:
            after.grad = grad
        if after is not None and number + 1 < passes:
            age(after, head, loop)
        # Where code tells the first turn from the others, these follow it, and there is one.
        told = number == 0 and loop in machine.told_first and after is not None
        head = after if told else merge([head, after])
    machine.state = None if endless and breaks else head
    if machine.state is not None and node.orelse is not None:
        block(machine, statements(node.orelse.body))
    machine.state = merge([machine.state, *breaks])
    if machine.state is not None and not outer:
        machine.state.pending = frozenset()


def _turn(
    machine: Machine,
    loop: Loop,
    node: cst.For | cst.While,
    begin: Callable[[], object],
    breaks: list[State],
) -> list[State]:
    """Run the body once: the states that go on to the next turn; those that leave the loop go to `breaks`."""
    machine.breaks.append([])
    machine.continues.append([])
    begin()
    block(machine, statements(node.body))
    breaks += machine.breaks.pop()
    edges = [*machine.continues.pop(), *([machine.state] if machine.state is not None else [])]
    for edge in edges:
        machine.state = edge
        settle(machine, loop, edge)
    return edges


def _with(machine: Machine, node: cst.With) -> None:
    assert machine.state is not None
    grad = machine.state.grad
    marks = [(lists, len(lists[-1])) for lists in (machine.breaks, machine.continues) if lists]
    returned = len(machine.returns[-1]) if machine.returns else 0
    mode, regions = "", machine.regions
    for with_item in node.items:
        value = evaluate(machine, with_item.item)
        mode = context_of(value) or yielded_mode(value) or mode_by_name(value, with_item.item) or mode
        open_region(machine, value, node)
        entered = _entered(machine, value)
        if with_item.asname is not None:
            bind(machine, with_item.asname.name, entered)
        if machine.state is not None and mode:
            machine.state.grad = mode
    block(machine, statements(node.body))
    machine.regions = regions
    if not mode:
        return
    # However the block is left, the grad mode of before is restored.
    states = [machine.state]
    if machine.returns:
        states += [state for state, _ in machine.returns[-1][returned:]]
    for lists, length in marks:
        states += lists[-1][length:]
    for state in states:
        if state is not None:
            state.grad = grad


def _entered(machine: Machine, value: Value) -> Value:
    if isinstance(value, Ref) and value.obj.cls is not None:
        found = value.obj.cls.find("__enter__")
        if found is not None:
            return machine.invoke(Function(found[0], found[1], value), [], {}, value.obj.cls.node)
    return value


def _try(machine: Machine, node: cst.Try | cst.TryStar) -> None:
    before = machine.state
    assert before is not None
    start = before.copy()
    block(machine, statements(node.body))
    finished = machine.state
    ends: list[State | None] = []
    for handler in node.handlers:
        machine.state = merge([start.copy(), finished])
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
    subject = evaluate(machine, node.subject)
    before = machine.state
    assert before is not None
    ends: list[State | None] = []
    for case in node.cases:
        fits = _fits(case.pattern, subject)
        if fits is False:
            continue
        machine.state = before.copy()
        for pattern in machine.names.walk(case.pattern):
            if isinstance(pattern, (cst.MatchAs, cst.MatchStar)) and pattern.name is not None:
                bind(machine, pattern.name, machine.unknown(pattern))
        block(machine, statements(case.body))
        ends.append(machine.state)
        if fits and case.guard is None:
            break
    else:
        ends.append(before)
    machine.state = merge(ends)


def _fits(pattern: cst.MatchPattern, subject: Value) -> bool | None:
    """Whether a subject that is a known constant matches a pattern; None when that is not known."""
    if isinstance(pattern, cst.MatchAs) and pattern.pattern is None:
        return True
    if not isinstance(subject, Const):
        return None
    if isinstance(pattern, cst.MatchOr):
        found = {_fits(element.pattern, subject) for element in pattern.patterns}
        return True if True in found else None if None in found else False
    if isinstance(pattern, cst.MatchSingleton):
        return dotted(pattern.value) == repr(subject.value)
    if isinstance(pattern, cst.MatchValue) and isinstance(pattern.value, (cst.SimpleString, cst.Integer)):
        return literal(pattern.value) == subject.value
    return None


_HANDLERS: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.SimpleStatementLine: _line,
    cst.Expr: _expression,
    cst.Assign: assign,
    cst.AnnAssign: assign_annotated,
    cst.AugAssign: assign_augmented,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Del: delete,
    cst.Assert: _assert,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Match: _match,
    cst.FunctionDef: define_function,
    cst.ClassDef: define_class,
    cst.Import: trace_import,
    cst.ImportFrom: trace_import,
}
