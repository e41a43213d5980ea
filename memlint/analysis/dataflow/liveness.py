"""Liveness of names: is a name read again before it is bound again, and may it be deleted here.

The last question is the contract of every `del` fix: for each execution that finished before, the results
must stay the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.api import in_torchscript
from memlint.analysis.dataflow.control_flow import ControlFlow, FlowNode, control_flow_of
from memlint.analysis.match import InsertAfter, InsertBefore, Plan
from memlint.analysis.model import ScriptModel
from memlint.finding import Applicability
from memlint.records import dataclass
from memlint.syntax.names import Names, NameScope
from memlint.syntax.tree import dotted

# Whoever calls one of these may read any name without writing it.
_READS_ALL = frozenset({"locals", "globals", "exec", "eval", "dir", "breakpoint"})
_READS_FRAMES = frozenset(
    "sys._getframe inspect.currentframe inspect.stack pdb.set_trace ipdb.set_trace IPython.embed "
    "code.interact code.InteractiveConsole".split()
)
# Whoever has one of these sees when a variable goes, or reads those of a generator that waits.
_SEES_DELETION = frozenset(
    "weakref getrefcount get_referrers getgeneratorlocals getcoroutinelocals gi_frame f_locals "
    "tb_frame".split()
)
_EAGER = frozenset("sum any all list tuple set dict sorted max min join frozenset extend update".split())
_SEQUENCES = (cst.Tuple, cst.List, cst.Element, cst.StarredElement)


@dataclass(eq=False, slots=True)
class Variable:
    """A name of one function or of the module, with the nodes that read, bind and delete it.

    `captured` says that other code may read it at any time: a nested function, a lambda, a generator, a
    function that uses the global.
    """

    name: str
    scope: NameScope
    flow: ControlFlow
    parameter: bool
    captured: bool = False
    reads: dict[FlowNode, list[cst.Name]] = field(default_factory=dict)
    binds: dict[FlowNode, list[cst.Name]] = field(default_factory=dict)
    deletes: set[FlowNode] = field(default_factory=set)
    after: dict[FlowNode, list[cst.Name]] = field(default_factory=dict)

    def reads_from(self, start: FlowNode) -> Iterator[cst.Name]:
        """The reads that can be reached from the beginning of a node before the name is bound again."""
        left = len(self.reads)
        for step in self._reachable((start,)):
            if step in self.reads:
                yield from self.reads[step]
                left -= 1
            if not left:
                return

    def reads_after(self, statement: cst.CSTNode) -> list[cst.Name]:
        """The reads that may follow once a statement is done, before the name is bound again.

        They are found once and handed out themselves: callers must not change the list.

        Raises:
            KeyError: the statement is not one of the variable's own scope.
        """
        start = self.flow.ends[statement]
        if start not in self.after:
            self.after[start] = list(self.reads_from(start))
        return self.after[start]

    def reaches(self, statement: cst.CSTNode, target: FlowNode) -> bool:
        """Whether what the name holds after a statement may still be bound when `target` runs.

        Raises:
            KeyError: the statement is not one of the variable's own scope.
        """
        return any(step is target for step in self._reachable((self.flow.ends[statement],)))

    def is_bound_at(self, target: FlowNode) -> bool:
        """Whether the name is bound on every way to the beginning of a node."""
        starts = [] if self.parameter else [self.flow.entry]
        for step in self.deletes:
            starts += step.successors
        seen: set[FlowNode] = set()
        while starts:
            step = starts.pop()
            if step is target:
                return False
            if step not in seen:
                seen.add(step)
                starts += step.on_error
                if step not in self.binds:
                    starts += step.successors
        return True

    def is_bound_again(self, statement: cst.CSTNode, start: FlowNode) -> bool:
        """Whether a name that is deleted beside a statement is bound whenever the statement runs again.

        `start` is where the deletion leads to. Where a loop does not bind the name, the `del` would fail in
        the second iteration.
        """
        first = first_node(self.flow, statement)
        if first is start:
            onward = [*start.on_error, *(() if start in self.binds else start.successors)]
            return all(step is not start for step in self._reachable(onward))
        ways = set(self._reachable((start,)))
        return first is not None and (first not in ways or start not in set(self._reachable((first,))))

    def _reachable(self, starts: Iterable[FlowNode]) -> Iterator[FlowNode]:
        """The nodes on all ways from `starts`, each way up to where the name is bound or deleted."""
        stack, seen = list(starts), set[FlowNode]()
        while stack:
            step = stack.pop()
            if step not in seen:
                seen.add(step)
                yield step
                stack += step.on_error
                if step not in self.binds and step not in self.deletes:
                    stack += step.successors


def variable(model: ScriptModel, node: cst.CSTNode, name: str) -> Variable | None:
    """The variable that `name` means where `node` stands; None for imports, attributes and class bodies."""
    names = model.names_of(node)
    scope = names.scope_of(node).owner(name)
    if scope is None or name in scope.imports or not isinstance(scope.node, (cst.Module, cst.FunctionDef)):
        return None
    return _collected(model, names, scope, name)


@cached
def _collected(model: ScriptModel, names: Names, scope: NameScope, name: str) -> Variable:
    flow = control_flow_of(model, scope.node)
    found = Variable(name, scope, flow, _is_parameter(scope.node, name))
    for node in _written(model, names).get((scope, name), ()):
        role = _role(model, node)
        if role == "declared" or _is_deferred(names.scopes[node], scope, model):
            found.captured = True
            continue
        step = _flow_node(model, flow, node)
        if step is None:
            found.captured = True
            continue
        if role in ("read", "both", "may"):
            found.reads.setdefault(step, []).append(node)
        if role in ("bind", "both"):
            found.binds.setdefault(step, []).append(node)
        if role == "delete":
            found.deletes.add(step)
    return found


@cached
def _written(model: ScriptModel, names: Names) -> dict[tuple[NameScope, str], list[cst.Name]]:
    """Every place in a file where an identifier stands for a variable, by its scope and the identifier."""
    index: dict[tuple[NameScope, str], list[cst.Name]] = {}
    for node in names.every(cst.Name):
        holder = names.scopes.get(node)
        owner = holder.owner(node.value) if holder is not None else None
        if owner is not None and _is_variable(model.parent(node), node):
            index.setdefault((owner, node.value), []).append(node)
    return index


def _is_variable(parent: cst.CSTNode | None, node: cst.Name) -> bool:
    if type(parent) is cst.Attribute:
        return parent.value is node
    if type(parent) is cst.Arg:
        return parent.value is node
    if type(parent) is cst.Param:
        return parent.default is node
    return type(parent) not in (cst.ImportAlias, cst.FunctionDef, cst.ClassDef, cst.MatchKeywordElement)


def _role(model: ScriptModel, node: cst.Name) -> str:
    """What happens to a variable: read, bind, both, delete, declared (elsewhere), may (bound or not)."""
    below: cst.CSTNode = node
    above = model.parent(node)
    while isinstance(above, _SEQUENCES):
        below, above = above, model.parent(above)
    match above:
        case cst.AssignTarget():
            return "bind"
        case cst.AnnAssign():
            bound = above.target is below and above.value is not None
            return "bind" if bound else "may" if above.target is below else "read"
        case cst.AugAssign():
            return "both" if above.target is below else "read"
        case cst.For() | cst.CompFor():
            return "bind" if above.target is below else "read"
        case cst.NamedExpr():
            return "may" if above.target is below else "read"
        case cst.MatchAs() | cst.MatchStar():
            return "may"
        case cst.AsName():
            return "bind"
        case cst.Del():
            return "delete"
        case cst.NameItem():
            return "declared"
    return "read"


def _is_deferred(holder: NameScope, owner: NameScope, model: ScriptModel) -> bool:
    """Whether code between a place and the owner of its name runs at some other time, or again."""
    scope: NameScope | None = holder
    while scope is not None and scope is not owner:
        if isinstance(scope.node, (cst.FunctionDef, cst.Lambda)):
            return True
        if isinstance(scope.node, cst.GeneratorExp) and not _is_used_up(model, scope.node):
            return True
        scope = scope.parent
    return False


def _is_used_up(model: ScriptModel, node: cst.GeneratorExp) -> bool:
    """Whether a generator goes straight into a call that runs it to its end."""
    call = model.parent(model.parent(node) or node)
    return isinstance(call, cst.Call) and dotted(call.func).rpartition(".")[2] in _EAGER


def _flow_node(model: ScriptModel, flow: ControlFlow, node: cst.CSTNode) -> FlowNode | None:
    """The node during which an expression is evaluated."""
    current: cst.CSTNode | None = node
    while current is not None and current not in flow.nodes:
        current = model.parent(current)
    return flow.nodes[current] if current is not None else None


def flow_node_of(model: ScriptModel, node: cst.CSTNode) -> FlowNode | None:
    """The node of the function (or module) around a node during which the node is evaluated."""
    return _flow_node(model, control_flow_of(model, model.function_of(node) or model.module), node)


def _is_parameter(scope: cst.CSTNode, name: str) -> bool:
    if not isinstance(scope, cst.FunctionDef):
        return False
    params = scope.params
    listed: list[cst.Param] = [*params.posonly_params, *params.params, *params.kwonly_params]
    listed += [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]
    return any(param.name.value == name for param in listed)


# --- deleting ---------------------------------------------------------------------------------------


def why_kept(model: ScriptModel, names: Iterable[str], statement: cst.CSTNode, *, before: bool) -> str:
    """Why `del` of these names beside a statement might change a result; "" where it cannot."""
    scope = model.function_of(statement) or model.module
    if model.notebook:
        return "a cell of a notebook can run again, or before another"
    if model.identifiers & _SEES_DELETION or reads_frames(model, scope) or in_torchscript(model, statement):
        return "code around it may read variables by other means than their names"
    for name in names:
        found = variable(model, statement, name)
        reason = _why_kept(model, found, scope, statement, before) if found is not None else "is an import"
        if reason:
            return f"`{name}` {reason}"
    return ""


def _why_kept(
    model: ScriptModel, found: Variable, scope: cst.CSTNode, statement: cst.CSTNode, before: bool
) -> str:
    if found.scope.node is not scope or found.captured:
        return "is read by code that may run at another time"
    start = first_node(found.flow, statement) if before else found.flow.ends.get(statement)
    if start is None:
        return "stands in a statement beside which nothing can be put"
    read = next(iter(found.reads_from(start)), None)
    if read is not None:
        return f"is read again, in `{model.short(_line_of(model, read))}`"
    if not found.is_bound_at(start) or not found.is_bound_again(statement, start):
        return "may not be bound there on every way"
    return "is exported in `__all__`" if scope is model.module and model.exports(found.name) else ""


def _line_of(model: ScriptModel, node: cst.CSTNode) -> cst.CSTNode:
    """What a finding can show of the statement around a node: of a compound one, its header."""
    line = model.statement_of(node)
    match line:
        case cst.SimpleStatementLine() if len(line.body) == 1:
            return line.body[0]
        case cst.If() | cst.While():
            return line.test
        case cst.For():
            return line.iter
    return node if line is None or isinstance(line, cst.BaseCompoundStatement) else line


def next_turn(model: ScriptModel, node: cst.CSTNode, name: Variable) -> list[FlowNode]:
    """Where the next turn of the innermost loop around a node begins, in the control flow of a variable."""
    for above in model.ancestors(node):
        if isinstance(above, (cst.For, cst.While)):
            head = above.target if isinstance(above, cst.For) else above.test
            return [name.flow.nodes[head]]
    return []


def first_node(flow: ControlFlow, statement: cst.CSTNode) -> FlowNode | None:
    """The node with which a statement begins."""
    match statement:
        case cst.SimpleStatementLine():
            return flow.nodes.get(statement.body[0])
        case cst.If() | cst.While():
            return flow.nodes.get(statement.test)
        case cst.For():
            return flow.nodes.get(statement.iter)
        case cst.With():
            return flow.nodes.get(statement.items[0])
    return flow.nodes.get(statement)


Deletion = tuple[tuple[Plan, ...], str]
"""The safe plan `del a, b` and "", or no plan and why there is none."""


def delete_after(model: ScriptModel, names: tuple[str, ...], statement: cst.CSTNode) -> Deletion:
    """Delete names in the line after a statement, where no result might change."""
    reason = why_kept(model, names, statement, before=False)
    return ((_deletion(names, InsertAfter, statement),), "") if not reason else ((), reason)


def delete_before(model: ScriptModel, names: tuple[str, ...], statement: cst.CSTNode) -> Deletion:
    """Delete names in the line before a statement, where no result might change."""
    reason = why_kept(model, names, statement, before=True)
    return ((_deletion(names, InsertBefore, statement),), "") if not reason else ((), reason)


def _deletion(
    names: tuple[str, ...], insert: type[InsertAfter | InsertBefore], statement: cst.CSTNode
) -> Plan:
    code = f"del {', '.join(names)}"
    return Plan(Applicability.SAFE, f"add `{code}`", (insert(statement, code),))


def reads_frames(model: ScriptModel, scope: cst.CSTNode) -> bool:
    """Whether something in a scope may read its variables by other means than their names."""
    within = set(model.walk(scope))
    return any(call in within for call in _frame_readers(model))


@cached
def _frame_readers(model: ScriptModel) -> list[cst.Call]:
    return [c for c in model.names.calls if _reads_frame(model, c)]


def _reads_frame(model: ScriptModel, call: cst.Call) -> bool:
    if type(call.func) is not cst.Name:
        return model.names.one(call.func) in _READS_FRAMES
    name = call.func.value
    if name in _READS_ALL or (name == "vars" and not call.args):
        return model.names.scope_of(call).owner(name) is None
    return model.names.one(call.func) in _READS_FRAMES
