"""What runs inside the scope of a distribution strategy."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from memlint.analysis.knowledge import code_words
from memlint.analysis.tensorflow.flow import Flow
from memlint.analysis.tensorflow.keras import method_calls
from memlint.syntax.expressions import speaks_of

_RUNS = ("run", "experimental_run_v2", "experimental_distribute_dataset", "distribute_datasets_from_function")


def in_scope(flow: Flow, node: cst.CSTNode, depth: int) -> bool:
    """Whether a node runs inside `with strategy.scope():`, in its own function or in every caller's."""
    for above in flow.model.ancestors(node):
        if isinstance(above, cst.With) and any(_is_scope(flow, i.item) for i in above.items):
            return True
        if isinstance(above, cst.FunctionDef):
            sites = flow.graph.sites(above)
            if not depth or not sites:
                return True
            return all(in_scope(flow, site, depth - 1) for site in sites)
    return False


def _is_scope(flow: Flow, node: cst.BaseExpression) -> bool:
    return speaks_of(node, code_words.STRATEGY_SCOPE)


def has_scope(flow: Flow) -> bool:
    """Whether the file opens the scope of anything."""
    return any(True for _ in method_calls(flow, "scope"))


def scoped_work(flow: Flow) -> list[cst.Call]:
    """What needs the variables inside: a compile or fit in the scope, or steps that the strategy runs."""
    compiled = [c for c, _ in method_calls(flow, "compile", "fit") if lexically_in_scope(flow, c)]
    run = [c for c, o in method_calls(flow, *_RUNS) if speaks_of(o, code_words.STRATEGY)]
    return compiled + run


def lexically_in_scope(flow: Flow, node: cst.CSTNode) -> bool:
    """Whether a `with` around a node, in its own function, opens the scope of a strategy."""
    around = (a for a in flow.model.ancestors(node) if isinstance(a, cst.With))
    return any(_is_scope(flow, item.item) for a in around for item in a.items)


def sites_in(flow: Flow, home: cst.FunctionDef | None, node: cst.CSTNode, depth: int) -> Iterator[cst.Call]:
    """The calls in one function that lead to a node in another one."""
    function = flow.model.function_of(node)
    for site in flow.graph.sites(function) if function is not None and depth else ():
        if flow.model.function_of(site) is home:
            yield site
        elif not lexically_in_scope(flow, site):
            yield from sites_in(flow, home, site, depth - 1)


def gets(flow: Flow, site: cst.CSTNode, strategy: cst.Call) -> bool:
    """Whether a call hands the strategy on: what it calls may enter its scope."""
    given = [arg.value for arg in site.args] if isinstance(site, cst.Call) else []
    return any(source is strategy for value in given for source in flow.sources(value))
