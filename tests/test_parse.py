"""libcst's parser as memlint uses it, and what is kept of what it has parsed."""

import gc
import threading
import weakref

import libcst as cst
import pytest

from memlint.analysis.dataflow.control_flow import FlowNode
from memlint.analysis.dataflow.liveness import variable
from memlint.analysis.dataflow.value_sources import call_graph
from memlint.analysis.imported import Kept
from memlint.analysis.model import ScriptModel
from memlint.analysis.tensorflow.flow import flow_of
from memlint.syntax.parse import parse_module
from memlint.syntax.tree import children

TEXT = "import torch  # first\n\n\nclass A(B, metaclass=C):\n    def f(self, *, x=1): return [y for y in x]\n"


def test_the_tree_is_that_of_libcst() -> None:
    assert parse_module(TEXT).deep_equals(cst.parse_module(TEXT))
    assert parse_module(TEXT).code == TEXT


def test_nodes_are_checked_again_after_parsing() -> None:
    parse_module(TEXT)
    with pytest.raises(cst.ParserSyntaxError):
        parse_module("def f(:\n")
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")


def test_nodes_are_checked_again_after_two_threads_have_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    second_began, first_ended = threading.Event(), threading.Event()

    def slow(text: str) -> None:
        if text == "first":
            assert second_began.wait(20)
        else:
            second_began.set()
            assert first_ended.wait(20)

    monkeypatch.setattr(cst, "parse_module", slow)
    first, second = (threading.Thread(target=parse_module, args=[text]) for text in ("first", "second"))
    first.start()
    second.start()
    first.join()
    first_ended.set()
    second.join()
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")


def test_nodes_are_told_apart_by_identity() -> None:
    one, other = cst.Name("x"), cst.Name("x")
    assert {one: 1, other: 2} == {other: 2, one: 1}
    assert len({one, other}) == 2


def test_children_of_a_node_with_one_field_and_with_none() -> None:
    module = parse_module("return_ = (yield)\npass\n")
    assert [type(node) for node in children(module)] == [cst.SimpleStatementLine] * 2
    assert children(module.body[1].body[0]) == []


def test_a_model_is_freed_without_the_collector() -> None:
    text = "import torch\nfor x in loader:\n    model(x).backward()\nwhile True:\n    with y: continue\n"
    model = ScriptModel.parse(text, "a.py")
    assert model.trace.backwards
    call_graph(model), flow_of(model)
    found = variable(model, model.module.body[1], "x")
    assert found is not None
    gone = weakref.ref(model)
    gc.collect()
    before = sum(type(left) is FlowNode for left in gc.get_objects())
    gc.disable()
    try:
        del model, found
        assert gone() is None
        assert before
        assert not any(type(left) is FlowNode for left in gc.get_objects())
    finally:
        gc.enable()


def test_trees_that_were_used_last_are_kept() -> None:
    kept = Kept[str, int](most=10)
    kept.put("a", 1, 4)
    kept.put("b", 2, 4)
    kept.put("b", 3, 4)  # another text of the same file
    assert (kept.get("a"), kept.get("b"), kept.get("a")) == (1, 3, 1)
    kept.put("c", 4, 4)
    assert [key in kept for key in "abc"] == [True, False, True]
    assert kept.get("b") is None
