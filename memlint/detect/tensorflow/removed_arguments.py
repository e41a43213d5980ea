"""Arguments of Keras optimizers that Keras 3 refuses: `Adam(lr=1e-3)`."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.dataflow.api import Table
from memlint.analysis.fixes import keyword_tables
from memlint.analysis.match import Match
from memlint.catalogue import Rule

_SINCE = (("tensorflow", ">=2.11"), ("keras", ">=2.11"))
"""Optimizers of these versions ignore the argument, those of Keras 3 raise."""
_OLD_KERAS = ("TF_USE_LEGACY_KERAS", "tf_keras")
"""Words of files that ask TensorFlow for Keras 2."""


def removed_arguments(table: Table, rule: Rule) -> Iterator[Match]:
    """The calls of the table that pass one of them."""
    model = table.model
    if any(word in model.text for word in _OLD_KERAS):
        return
    for entry in rule.matches:
        for api, call, arg in keyword_tables.given(table, entry) if "with-keyword" in entry else ():
            plan = keyword_tables.plan(model, entry, call, arg)
            name = arg.keyword.value if arg.keyword is not None else ""
            values = {"api": api.rpartition(".")[2], "keyword": name, "replacement": entry["replacement"]}
            yield Match(call.func, values, entry["variant"], plans=(plan,) if plan else (), about=_SINCE)
