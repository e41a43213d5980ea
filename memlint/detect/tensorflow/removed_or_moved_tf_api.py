"""MTF101: what TensorFlow 1 and old Keras had and TensorFlow 2 no longer has, or what no release ever had."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from memlint.analysis.dataflow.api import Table, how_used
from memlint.analysis.dataflow.import_statements import Imported
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import Flow, canonical, concerns, flow_of
from memlint.catalogue import Rule
from memlint.detect.tensorflow.api_fixes import Entry, import_plan, use_plan
from memlint.detect.tensorflow.removed_arguments import removed_arguments
from memlint.detect.tensorflow.removed_methods import removed_methods
from memlint.syntax.expressions import mentions

_PINNED = re.compile(
    r"\b(tf|tensorflow|keras)\.(__version__|VERSION)\s*(\[|[<>=!]=?|\.(split|startswith))|"
    r"[vV]ersion\w*\((tf|tensorflow|keras)\.__version__\)|^\s*[%!]\s*tensorflow_version 1|"
    r"pip3? install.*tensorflow(-gpu)?\s*==\s*1\.", re.MULTILINE
)  # fmt: skip
_MANY = 5


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Imports and uses of the names of the table, and calls of the old training methods.

    Many without a fix are one finding: the file was written for TensorFlow 1, as a whole.
    """
    if not concerns(model) or _PINNED.search(model.text):
        return
    found = sorted(_found(model, rule), key=lambda match: model.positions.get(match.node, 0))
    left = [match.node for match in found if not match.plans]
    for match in found:
        alone = match.plans or len(left) <= _MANY
        yield match if alone else replace(match, causes=((left[0],),))


def _found(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    table, flow = Table(model), flow_of(model)
    imported = list(_imports(table, rule))
    for item, entry in imported:
        if not table.spared(item.node, item.path):
            plan = import_plan(table, item, entry)
            yield _match(item.node, item.path, entry, plan)
    gone = {item for item, _ in imported}
    for node, entry in _uses(flow, rule):
        if not gone.intersection(table.bound_by(node)) and not _protected(table, node):
            yield _match(node, model.short(node), entry, use_plan(model, node, entry))
    yield from removed_methods(flow, table)
    yield from removed_arguments(table, rule)


def _match(node: cst.CSTNode, api: str, entry: Entry, plan: Plan | None) -> Match:
    values, variant = {"api": api, "replacement": entry["replacement"]}, entry.get("variant", "default")
    no_fix = "some of what the module held is gone as well" if variant == "module" else ""
    return Match(node, values, variant, plans=(plan,) if plan else (), no_fix=no_fix)


def _entry(rule: Rule, path: str) -> Entry | None:
    """The entry of the table that a canonical name is, or lies below."""
    for entry in rule.matches:
        named = any(path == api or path.startswith(f"{api}.") for api in entry["api"])
        if named and "with-keyword" not in entry:
            return entry
    return None


def _imports(table: Table, rule: Rule) -> Iterator[tuple[Imported, Entry]]:
    for item in table.imports:
        entry = _entry(rule, canonical(item.path))
        if entry is not None and not item.path.startswith("tensorflow.python."):
            yield item, entry


def _uses(flow: Flow, rule: Rule) -> Iterator[tuple[cst.Attribute, Entry]]:
    """The outermost attribute chains that name an entry and read it."""
    wanted = {api.rpartition(".")[2] for entry in rule.matches for api in entry["api"]}
    for node in flow.model.names.every(cst.Attribute):
        if node.attr.value not in wanted:
            continue
        entry = _entry(rule, flow.api(node))
        if entry is None or flow.model.is_target(node):
            continue
        if any(isinstance(above, (cst.Import, cst.ImportFrom)) for above in flow.model.ancestors(node)):
            continue
        if how_used(flow.model, node) != "annotation" and not _below_known(flow, node, rule):
            yield node, entry


def _below_known(flow: Flow, node: cst.Attribute, rule: Rule) -> bool:
    """Whether a shorter part of the chain is an entry, which speaks for it."""
    return isinstance(node.value, cst.Attribute) and _entry(rule, flow.api(node.value)) is not None


def _protected(table: Table, node: cst.Attribute) -> bool:
    places: list[cst.CSTNode] = [node]
    places += [i.node for i in table.bound_by(node) if canonical(i.path) not in ("tf", "keras")]
    eager = (a for a in table.model.ancestors(node) if isinstance(a, cst.If))
    if any(mentions(a.test, "executing_eagerly", "executing_eagerly_outside_functions") for a in eager):
        return True
    return any(table.spared(place, node.attr.value) for place in places)
