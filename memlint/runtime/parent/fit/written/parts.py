"""Batches computed in parts: forward pass and backward in a loop over chunks, one step for all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from memlint.runtime.parent.fit.written.accumulation import is_summed, loss_of, named
from memlint.runtime.parent.fit.written.page import Page, RefusedError, between, suites
from memlint.session import Batch, Lines

_NOT_WITHIN = frozenset({"backward", "step", "unscale_", "clip_grad_norm_", "clip_grad_value_"})
_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_KEPT = ("losses", "part_losses", "losses_of_parts")


def in_parts(page: Page, region: Lines, batches: Sequence[Batch], rows: int, times: int) -> None:
    """Compute the loss and its gradients for parts of a batch of `rows`, each weighed by its share.

    Raises:
        RefusedError: something else than the loss goes through these lines, or no batch is seen there.
    """
    suite, first, at = between(page.tree, region.first, region.last)
    loss = loss_of(suite[at])
    if loss is None or is_summed(page.tree):
        raise RefusedError("backward is not called of a mean")
    forgets = [each for each in suite[first:at] if _forgets(each)]
    inside = [each for each in suite[first:at] if each not in forgets]
    if not inside or suite[first] in forgets:
        raise RefusedError("no forward pass is seen before backward")
    _stays(inside)
    around = _around(page.tree, suite)
    outside = _loads(around, {id(node) for each in suite[first : at + 1] for node in ast.walk(each)})
    read = _results(inside, outside, {id(node) for node in _nodes([*inside, suite[at]])})
    kept = loss.id if isinstance(loss, ast.Name) and loss.id in read else ""
    if read - {kept}:
        raise RefusedError("more than the loss is read behind backward")
    own = _bound(_innermost(page.tree, suite), {id(each) for each in suite[first : at + 1]})
    parts = _renamed(page, [*inside, suite[at]], batches, rows, own)
    share = _share(parts)
    header = [page.source(each) for each in forgets]
    for each in forgets:
        page.drop(each)
    source = page.source(loss)
    product = (
        source if isinstance(loss, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({source})"
    )
    page.put_before(loss, "(" if product == source else "((")
    page.put_behind(loss, f" * {share})" if product == source else f") * {share})")
    footer = []
    if kept:
        taken = page.names()
        losses = next((name for name in _KEPT if name not in taken), "")
        if not losses:
            raise RefusedError("no name is left for the losses")
        header.append(f"{losses} = []")
        page.put_below(suite[at], f"{losses}.append({kept}.detach() * {share})")
        footer.append(f"{kept} = sum({losses})")
    names = [new for _, new in parts]
    chunks = [_chunks(batch, times) for batch, _ in parts]
    header.append(
        f"for {names[0]} in {chunks[0]}:"
        if len(parts) == 1
        else f"for {', '.join(names)} in zip({', '.join(chunks)}):"
    )
    page.put_under(suite[first : at + 1], "\n".join(header), "\n".join(footer))


def _stays(inside: Sequence[ast.stmt]) -> None:
    """Nothing within may leave the loop, make a step, or change what is seen elsewhere."""
    if _counts(inside, set()):
        raise RefusedError("something is counted between forward pass and backward")
    for node in _nodes(inside):
        if isinstance(node, _LEAVES):
            raise RefusedError("the lines are left between forward pass and backward")
        if isinstance(node, ast.Call) and (named(node.func) in _NOT_WITHIN or _forgets_in(node)):
            raise RefusedError(f"{named(node.func)}() lies between forward pass and backward")
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Delete)):
            raise RefusedError("something is counted between forward pass and backward")
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            raise RefusedError("something is stored between forward pass and backward")


def _counts(block: Sequence[ast.stmt], bound: set[str]) -> bool:
    """Whether anything is added to what was not bound above it, as in `loss = a(x)`, `loss += b(x)`.

    `bound` are names that are, and gets those that are bound wherever the block has run.
    """
    for statement in block:
        arms = [set(bound) for _ in suites(statement)]
        if isinstance(statement, ast.AugAssign):
            if not isinstance(statement.target, ast.Name) or statement.target.id not in bound:
                return True
        elif any(_counts(suite, arm) for suite, arm in zip(suites(statement), arms, strict=True)):
            return True
        if isinstance(statement, ast.Assign):
            names = (node for target in statement.targets for node in ast.walk(target))
            bound |= {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        elif isinstance(statement, ast.With) or (isinstance(statement, ast.If) and len(arms) > 1):
            bound |= set.intersection(*arms)
    return False


def _around(tree: ast.Module, suite: list[ast.stmt]) -> ast.AST:
    """The function that a block belongs to, or the module."""
    found: ast.AST = tree
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and any(each is suite[0] for each in ast.walk(node)):
            found = node
    return found


def _innermost(tree: ast.Module, suite: list[ast.stmt]) -> ast.AST:
    """The loop or function in which a block runs once for each batch, or the module."""
    found: ast.AST = tree
    for node in ast.walk(tree):
        if isinstance(node, (*_LOOPS, *_FUNCTIONS)) and any(each is suite[0] for each in ast.walk(node)):
            found = node
    return found


def _bound(around: ast.AST, without: set[int]) -> set[str]:
    """Names that a loop or function binds, some statements of it left out."""
    found: set[str] = set()
    waiting = [around]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        waiting += [each for each in ast.iter_child_nodes(node) if id(each) not in without]
    return found


def _loads(around: ast.AST, without: set[int]) -> set[str]:
    """Names that are read in a function beside some nodes."""
    found = (n for n in ast.walk(around) if isinstance(n, ast.Name) and id(n) not in without)
    return {name.id for name in found if isinstance(name.ctx, ast.Load)}


def _results(inside: Sequence[ast.stmt], outside: set[str], own: set[int]) -> set[str]:
    """Names bound within that are read outside, or within before they are bound."""
    bound: dict[str, tuple[int, int]] = {}
    read: dict[str, tuple[int, int]] = {}
    for name in (node for node in _nodes(inside) if isinstance(node, ast.Name)):
        first = bound if isinstance(name.ctx, ast.Store) else read
        place = (name.lineno, name.col_offset)
        first[name.id] = min(first.get(name.id, place), place)
    # A line reads before it binds: `x = f(x)`.
    carried = {name for name, place in bound.items() if read.get(name, (1 << 30, 0))[0] <= place[0]}
    return {name for name in bound if name in outside} | carried


def _renamed(
    page: Page, statements: Sequence[ast.stmt], batches: Sequence[Batch], rows: int, own: set[str]
) -> list[tuple[Batch, str]]:
    """The batches that statements read, which become parts of them there.

    `own` are the names that are bound again for each batch: what they hold belongs to its items.
    """
    names = [node for node in _nodes(statements) if isinstance(node, ast.Name)]
    stored = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    taken = page.names()
    found = []
    for batch in batches:
        reads = [name for name in names if name.id == batch.name]
        if reads and batch.rows != rows and batch.name in own:
            raise RefusedError(f"{batch.name} is not cut by the items of the batch")
        if batch.rows != rows or not reads:
            continue
        new = f"{batch.name}_part"
        if batch.name in stored or new in taken:
            raise RefusedError("a batch is bound between forward pass and backward")
        for name in reads:
            page.replace(name, new)
        found.append((batch, new))
    if not found:
        raise RefusedError("no batch is seen where the forward pass begins")
    # A tensor says best how large a part is.
    return sorted(found, key=lambda row: bool(row[0].key))


def _share(parts: Sequence[tuple[Batch, str]]) -> str:
    (batch, new) = parts[0]
    key = f"[{batch.key}]" if batch.key else ""
    return f"len({new}{key}) / len({batch.name}{key})"


def _chunks(batch: Batch, times: int) -> str:
    name = batch.name
    if not batch.key:
        return f"{name}.chunk({times})"
    if batch.key.isdecimal():
        return f"zip(*(each.chunk({times}) for each in {name}))"
    rows = f"zip(*(each.chunk({times}) for each in {name}.values()))"
    return f"[dict(zip({name}, some)) for some in {rows}]"


def _forgets(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and _forgets_in(call) and statement.lineno == statement.end_lineno


def _forgets_in(call: ast.Call) -> bool:
    return named(call.func) == "zero_grad"


def _nodes(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in statements for node in ast.walk(statement))
