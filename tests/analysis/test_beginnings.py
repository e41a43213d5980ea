"""Whether an assignment only begins something, and whether what is gathered is moved to the host later."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.uses.beginnings import only_begins
from memlint.analysis.uses.host_moves import moved_to_host


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("box is None", True),
        ("not box", True),
        ("len(box) == 0", True),
        ("k == 0", True),
        ("k % 8 == 0", False),
        ("box is not None", False),
        ("len(box) > 100", False),
        ("box is None or len(box) > 100", False),
        ("other == 0", False),
    ],
)
def test_an_assignment_that_runs_on_the_first_pass(test: str, expected: bool) -> None:
    model = ScriptModel.parse(f"for k, x in enumerate(data):\n    if {test}:\n        box = x\n")
    loop, binding = model.names.every(cst.For)[0], model.names.every(cst.AssignTarget)[0]
    assert only_begins(model, binding, "box", loop) is expected


def test_an_assignment_under_a_flag_that_it_switches_off() -> None:
    model = ScriptModel.parse("for x in data:\n    if first:\n        box = x\n        first = False\n")
    loop, binding = model.names.every(cst.For)[0], model.names.every(cst.AssignTarget)[0]
    assert only_begins(model, binding, "box", loop)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("torch.cat(box).cpu()", True),
        ("whole = torch.stack(box)\nsave(whole.flatten(1).to('cpu'))", True),
        ("[part.cpu() for part in box]", True),
        ("for part in box:\n    save(part.detach().cpu())", True),
        ("torch.cat(box).numpy()", False),
        ("torch.cat(box).mean(0).cpu()", False),
        ("other(box).cpu()", False),
        ("len(box)", False),
    ],
)
def test_a_container_that_is_moved_to_the_host(after: str, expected: bool) -> None:
    model = ScriptModel.parse(f"import torch\nbox = []\nfor x in data:\n    box.append(x)\n{after}\n")
    store = next(c for c in model.names.calls if model.code(c) == "box.append(x)")
    assert moved_to_host(model, "box", store) is expected
