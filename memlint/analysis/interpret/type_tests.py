"""Tests that ask whether something is a tensor, `isinstance(v, torch.Tensor)`, or is None; what else a file
does with a value that shows whose library it is from."""

from __future__ import annotations

import re

import libcst as cst

from memlint.syntax.expressions import words_of
from memlint.syntax.names import Names
from memlint.syntax.tree import dotted, last_name, root_name

_OF_TENSORS = re.compile("Tensor|item|detach")
"""What code asks an object for to know whether it is a tensor."""

_MAKING = ("torch.tensor", "torch.Tensor", "torch.FloatTensor", "torch.as_tensor", "torch.from_numpy")
_NUMBERS = frozenset("int float bool str bytes complex Number Real numbers string_classes".split())


def denied_tensor(test: cst.BaseExpression, holds: bool) -> cst.BaseExpression | None:
    """The expression that is no tensor where the test holds, or fails; None where none is."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        return denied_tensor(test.expression, not holds)
    if type(test) is not cst.Call or not test.args:
        return None
    asked = test.args[0].value
    return asked if (_of_numbers(test) if holds else _of_tensors(test)) else None


def tested_for_none(test: cst.BaseExpression, holds: bool) -> cst.BaseExpression | None:
    """The expression that is None where the test holds, or fails: `h` of `h is None`; None where none is."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        return tested_for_none(test.expression, not holds)
    if type(test) is not cst.Comparison or len(test.comparisons) != 1:
        return None
    asked = test.comparisons[0]
    none = type(asked.comparator) is cst.Name and asked.comparator.value == "None"
    return test.left if none and type(asked.operator) is (cst.Is if holds else cst.IsNot) else None


def asked_if_tensor(names: Names, scope: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether the code around asks if the result of a call is a tensor at all, and else makes one of it: the
    call may run a wrapper, of whatever library."""
    above = names.parents.get(node)
    if type(above) is not cst.Assign or type(above.targets[0].target) is not cst.Name:
        return False
    name = above.targets[0].target.value
    about = [c for c in names.every(cst.Call, scope) if c.args and dotted(c.args[0].value) == name]
    tests = (c for c in about if dotted(c.func) == "isinstance" and len(c.args) == 2)
    asked = any(dotted(c.args[1].value).rpartition(".")[2] == "Tensor" for c in tests)
    return asked and any(names.one(c.func) in _MAKING for c in about)


def is_called_as_keras(names: Names, scope: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a file with Keras calls something as models of Keras are called, `model(x, training=False)`,
    or gives what comes out to a function of Keras: `keras.ops.convert_to_numpy(model(x)["boxes"])`. `scope`
    is the function in which the call stands, or the module."""
    if type(node) is not cst.Call or names.imported_roots().isdisjoint(_WITH_KERAS):
        return False
    if any(given.keyword is not None and given.keyword.value == "training" for given in node.args):
        return True
    above = names.parents.get(node)
    while type(above) is cst.Attribute or type(above) is cst.Subscript:
        above = names.parents.get(above)
    if type(above) is cst.Arg:
        taker = names.parents.get(above)
        return type(taker) is cst.Call and _KERAS.match(names.one(taker.func)) is not None
    target = above.targets[0].target if type(above) is cst.Assign else None
    if type(target) is not cst.Name:
        return False
    takers = (c for c in names.every(cst.Call, scope) if _KERAS.match(names.one(c.func)))
    return any(root_name(given.value) == target.value for taker in takers for given in taker.args)


def is_of_another_library(names: Names, node: cst.CSTNode) -> bool:
    """Whether the function around calls the same thing under a tape of TensorFlow, or asks results for
    `asnumpy()`, as those of MindSpore and MXNet are: code for several libraries has a function for each."""
    if type(node) is not cst.Call or names.imported_roots().isdisjoint(_BESIDE_TORCH):
        return False
    above: cst.CSTNode | None = names.parents.get(node)
    while above is not None and type(above) is not cst.FunctionDef:
        above = names.parents.get(above)
    if above is None:
        return False
    methods = (call.func for call in names.every(cst.Call, above))
    if any(type(func) is cst.Attribute and func.attr.value == "asnumpy" for func in methods):
        return True
    called = dotted(node.func)
    return bool(called) and any(
        dotted(call.func) == called
        for block in names.every(cst.With, above)
        if any(_is_tape(part.item) for part in block.items)
        for call in names.every(cst.Call, block)
    )


def _is_tape(made: cst.BaseExpression) -> bool:
    return type(made) is cst.Call and last_name(made.func) == "GradientTape"


_KERAS = re.compile(r"^((tf|tensorflow)\.)?(keras|keras_core|tf_keras)\.")
_WITH_KERAS = frozenset({"tf", "tensorflow", "keras", "keras_core", "tf_keras"})
_BESIDE_TORCH = _WITH_KERAS | {"mindspore", "mxnet"}


def _of_tensors(test: cst.Call) -> bool:
    function = dotted(test.func)
    asks = function in ("isinstance", "hasattr") and len(test.args) > 1
    if asks and any(_OF_TENSORS.search(word) for word in words_of(test.args[1].value)):
        return True
    return function == "torch.is_tensor"


def _of_numbers(test: cst.Call) -> bool:
    if dotted(test.func) != "isinstance" or len(test.args) < 2:
        return False
    words = set(words_of(test.args[1].value))
    return bool(words) and words <= _NUMBERS
