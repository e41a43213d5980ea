"""What an expression builds, for data sets that keep it."""

from __future__ import annotations

import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.loading.content_kinds import kind
from memlint.syntax.expressions import calls_in

_COLUMNS = """
import numpy as np

def rows(records, features):
    columns = {feature: [] for feature in features}
    for record in records:
        for feature, value in record.items():
            columns[feature].append(np.array(value))
    %s
    columns = columns[features[0]]
    return keep(columns)
"""


@pytest.mark.parametrize(
    ("last", "what"),
    [
        ("for feature in columns:\n        columns[feature] = np.array(columns[feature])", "array"),
        ("for feature in columns:\n        columns[feature] = sorted(columns[feature])", "records"),
        ("print(len(columns))", "records"),
    ],
)
def test_an_entry_is_what_the_entries_were_made_last(last: str, what: str) -> None:
    model = ScriptModel.parse(_COLUMNS % last)
    (kept,) = calls_in(model.module, "keep")
    assert kind(model, kept.args[0].value) == what
