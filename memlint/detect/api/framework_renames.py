"""MEM907: names and arguments that Lightning and transformers gave up."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.api import Table
from memlint.analysis.dataflow.guards import is_guarded
from memlint.analysis.fixes import keyword_tables
from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.lightning import hook_classes
from memlint.catalogue import Rule
from memlint.syntax.tree import methods

_HOOKS = {
    "training_epoch_end": "on_train_epoch_end",
    "validation_epoch_end": "on_validation_epoch_end",
    "test_epoch_end": "on_test_epoch_end",
}
_PACKAGES = {"lightning": "Lightning", "pytorch_lightning": "Lightning", "lightning_fabric": "Lightning"}
_LIGHTNING_2 = (("lightning", ">=2"),)
_TRANSFORMERS_5 = (("transformers", ">=5"),)
_VERSION = re.compile(r"__version__|LooseVersion|RequirementCache|_LIGHTNING_GREATER|compare_version")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Removed hooks of LightningModules, and the arguments and members of the rule's table."""
    for owner in hook_classes(model):
        for node in methods(owner):
            if node.name.value in _HOOKS and not _knows_versions(model):
                values = {"hook": node.name.value, "replacement": _HOOKS[node.name.value]}
                yield Match(node.name, values, "hook", about=_LIGHTNING_2)
    table = Table(model)
    for entry in rule.matches:
        if entry.get("kind") == "call":
            for api, call, arg in keyword_tables.given(table, entry):
                if not is_guarded(model, call):
                    name = arg.keyword.value if arg.keyword is not None else ""
                    found = keyword_tables.plan(model, entry, call, arg)
                    values = _values(api, entry, name) | {"value": model.code(arg.value)}
                    plans = (found,) if found else ()
                    yield Match(arg, values, entry["variant"], plans=plans, about=_about(api, entry))
        else:
            for place, api in _named(table, entry):
                yield Match(place, _values(api, entry, ""), entry["variant"], about=_about(api, entry))


def _named(table: Table, entry: keyword_tables.Entry) -> Iterator[tuple[cst.CSTNode, str]]:
    """Where a name is imported, or read off its module, unless the file knows that it may be gone."""
    imported = [item for item in table.imports if item.path in entry["api"]]
    for item in imported:
        if not table.spared(item.node, item.path):
            yield item.node, item.path
    for use in table.uses(entry):
        if not set(imported) & set(table.bound_by(use.node)) and not table.protected(use):
            yield use.node, use.api


def _about(api: str, entry: keyword_tables.Entry) -> tuple[tuple[str, str], ...]:
    """The versions that an entry of the table is about."""
    if api.partition(".")[0] in _PACKAGES:
        return _LIGHTNING_2
    return _TRANSFORMERS_5 if entry.get("since") == "transformers 5" else ()


def _values(api: str, entry: keyword_tables.Entry, name: str) -> dict[str, str]:
    package = _PACKAGES.get(api.partition(".")[0], "transformers")
    return {
        "api": api.rpartition(".")[2],
        "package": package,
        "keyword": name,
        "replacement": entry.get("replacements", {}).get(name) or entry.get("replacement", ""),
        "since": entry.get("since", ""),
    }


def _knows_versions(model: ScriptModel) -> bool:
    """Whether the file asks which Lightning runs it: then both forms of a hook may stand there."""
    return bool(_VERSION.search(model.text))
