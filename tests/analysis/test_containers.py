"""Whether a container is emptied, bounded or local: small pieces of code, the answer asserted."""

from __future__ import annotations

import libcst as cst
import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import (
    emptied_anywhere,
    emptied_between_runs,
    emptied_in,
    let_go,
    removals,
)
from memlint.analysis.training.lifetimes.bounds import filled_to_a_limit, has_maximum, size_is_checked
from memlint.analysis.training.lifetimes.locality import made_inside, started_empty, stays_local


def model(text: str) -> ScriptModel:
    return ScriptModel.parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("box.clear()\n", [("cleared", "box")]),
        ("del box[:]\n", [("cleared", "box")]),
        ("box[:] = []\n", [("cleared", "box")]),
        ("box[1:] = []\n", [("bound", "box[1:]")]),
        ("self.box.popleft()\n", [("taken", "self.box")]),
        ("del box[key]\n", [("taken", "box")]),
        ("import heapq\nheapq.heappop(box)\n", [("taken", "box")]),
        ("del box, other\n", [("deleted", "box"), ("deleted", "other")]),
        ("a, self.box = [], []\n", [("bound", "a"), ("bound", "self.box")]),
        ("box: list = []\n", [("bound", "box")]),
        ("box: list\n", []),
        ("box.append(1)\nbox += [2]\n", []),
    ],
)
def test_what_leaves_a_container(text: str, expected: list[tuple[str, str]]) -> None:
    parsed = model(text)
    found = removals(parsed, parsed.module)
    assert [(r.how, parsed.code(r.container)) for r in found] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("box.clear()", True),
        ("box = []", True),
        ("boxes.clear()", False),
        ("del box2", False),
        ("box = torch.cat([box, v])", False),
        ("other = box", False),
    ],
)
def test_a_loop_empties_the_very_container(body: str, expected: bool) -> None:
    parsed = model(f"for v in loader:\n    box.append(v)\n    {body}\n")
    loop = parsed.names.every(cst.For)[0]
    assert emptied_in(parsed, "box", loop) is expected


@pytest.mark.parametrize("code", ["boxes['a'].clear()", "(boxes[ 'a' ]).clear()", 'boxes["a"] = []'])
def test_a_place_is_the_same_in_every_layout(code: str) -> None:
    parsed = model(code)
    assert emptied_in(parsed, 'boxes["a"]', parsed.module)
    assert not emptied_in(parsed, 'boxes["b"]', parsed.module)


def test_a_new_value_of_the_name_counts_only_where_asked() -> None:
    parsed = model("box = {}\n")
    assert emptied_in(parsed, "box", parsed.module)
    assert not emptied_in(parsed, "box", parsed.module, bindings=False)


BUFFER = """
class Buffer:
    def __init__(self):
        self.items = []
    def add(self, v):
        self.items.append(v)
{rest}
"""


@pytest.mark.parametrize(
    ("rest", "taking", "expected"),
    [
        ("", True, False),
        ("    def reset(self):\n        self.items = []", False, True),
        ("    def reset(self):\n        self.items.clear()", False, True),
        ("    def add_one(self):\n        self.items.pop(0)", False, False),
        ("    def add_one(self):\n        self.items.pop(0)", True, True),
        ("    def add_one(self):\n        del self.items[0]", False, False),
        ("    def drop(self, k):\n        del self.items[k]", False, True),
        ("def reset(buffer):\n    buffer.items.clear()", False, True),
        ("def reset(buffer):\n    buffer.more_items.clear()", False, False),
        ("    def reset(self):\n        for one in self.items:\n            one.clear()", False, True),
    ],
)
def test_some_code_empties_what_an_object_holds(rest: str, taking: bool, expected: bool) -> None:
    assert emptied_anywhere(model(BUFFER.format(rest=rest)), "self.items", taking=taking) is expected


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("on_validation_epoch_end(self):\n        self.outputs.clear()", True),
        ("on_validation_epoch_end(self):\n        self.outputs = []", True),
        ("on_fit_end(self):\n        self.outputs.clear()", False),
        ("on_validation_epoch_end(self):\n        self.outputs_of_test.clear()", False),
        ("on_validation_epoch_end(self):\n        setattr(self, name, [])", True),
        ("on_validation_epoch_end(self):\n        print(len(self.outputs))  # self.outputs.clear()", False),
    ],
)
def test_the_methods_that_a_trainer_runs_again_empty_an_attribute(method: str, expected: bool) -> None:
    text = f"class Net:\n    def __init__(self):\n        self.outputs = []\n    def {method}\n"
    parsed = model(text)
    owner = parsed.names.every(cst.ClassDef)[0]
    assert started_empty(parsed, owner) == {"outputs"}
    assert emptied_between_runs(parsed, owner, "outputs", []) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("del tape\n", True),
        ("del tape2\n", False),
        ("del other, tape\n", True),
        ("tape = None\n", True),
        ("tape = other\n", False),
        ("# del tape\n", False),
        ("print('del tape')\n", False),
    ],
)
def test_a_variable_is_let_go(text: str, expected: bool) -> None:
    parsed = model(text)
    assert let_go(parsed, "tape", parsed.module) is expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [("deque(maxlen=8)", True), ("collections.deque([], 8)", True), ("deque()", False), ("[]", False)],
)
def test_a_deque_with_a_maximum_is_bounded(made: str, expected: bool) -> None:
    parsed = model(f"box = {made}\nbox.append(1)\n")
    use = parsed.names.calls[-1].func
    assert isinstance(use, cst.Attribute)
    assert has_maximum(parsed, use.value) is expected


def test_the_size_of_a_cache_is_checked_only_by_a_comparison_of_its_own_length() -> None:
    parsed = model("if len(cache) < 100:\n    cache[k] = v\nprint(len(other))\n")
    assert size_is_checked(parsed, "cache", parsed.module)
    assert not size_is_checked(parsed, "other", parsed.module)


@pytest.mark.parametrize(
    ("test", "expected"),
    [("len(box) < 8", True), ("step == 3", True), ("step % 3 == 0", False), ("step > 3", False)],
)
def test_a_loop_fills_only_to_a_limit(test: str, expected: bool) -> None:
    parsed = model(f"for v in loader:\n    if {test}:\n        box.append(v)\n")
    loop = parsed.names.every(cst.For)[0]
    assert filled_to_a_limit(parsed, parsed.names.calls[-1], loop) is expected


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("return torch.stack(box)", True),
        ("return box", False),
        ("save(box)", False),
        ("return len(box)", True),
        ("return box, 1", False),
    ],
)
def test_a_list_stays_in_its_function(last: str, expected: bool) -> None:
    parsed = model(f"import torch\ndef run():\n    box = []\n    box.append(f(1))\n    {last}\n")
    function = parsed.names.every(cst.FunctionDef)[0]
    assert stays_local(parsed, function.body.body[0], "box") is expected
    assert made_inside(parsed, function, cst.Name("box"))
    assert not made_inside(parsed, function, cst.Name("other"))
