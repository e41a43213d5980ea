"""Code that tests other code, or tries a network out: what it keeps is a few batches, and soon gone."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.facts import Forward
from memlint.analysis.knowledge import hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import kind_of, works_on_itself
from memlint.analysis.training.loops import over_loader
from memlint.analysis.uses.shown_values import ends_of
from memlint.analysis.values import Frame
from memlint.syntax.expressions import UNKNOWN, literal
from memlint.syntax.tree import dotted, last_name, methods

_MADE_UP = frozenset(
    "rand randn randint normal zeros ones full empty arange linspace Tensor FloatTensor LongTensor".split()
)
"""What makes tensors of torch out of nothing but sizes."""

_ALIKE = frozenset({"allclose", "assert_close", "assert_allclose", "assert_almost_equal", "gradcheck"})


def in_unit_test(model: ScriptModel, frame: Frame) -> bool:
    """Whether a frame runs in a test function of a unit test, or in a check that a file makes of itself."""
    if model.test_functions:
        return False
    if any(_in_test_class(model, f) for f in frame.chain()):
        return True
    named = [f for f in frame.chain() if f.name.lstrip("_").startswith("test_")]
    if named and (model.imports("pytest", "unittest") or any(_asserts_alone(model, f.node) for f in named)):
        return True
    if model.trace.steps or not _ALIKE & model.identifiers:
        return False
    return any(_compares(model, f.node) for f in frame.chain())


@cached
def is_tried_out(model: ScriptModel, forward: Forward) -> bool:
    """Whether a network runs only to see that it does: assertions speak of what it gives, or data are made up
    and at most the shape or type of the result is read, or it is held against an exported one. A loop over a
    loader measures something."""
    if not isinstance(forward.node, cst.Call) or any(map(over_loader, forward.loops)):
        return False
    if works_on_itself(forward):
        return False
    if _beside_export(model, forward.node) and all(_is_made_up(model, a.value) for a in forward.node.args):
        return True
    ends = ends_of(model, forward)
    if ends.looked_at or ends.detached or ends.elsewhere:
        return False
    return ends.demanded or all(_is_made_up(model, argument.value) for argument in forward.node.args)


def _beside_export(model: ScriptModel, call: cst.Call) -> bool:
    """Whether the function around exports a network, or runs an exported one to compare what both give."""
    function = model.function_of(call)
    calls = model.every(cst.Call, function) if function is not None else ()
    return any(last_name(c.func) == "InferenceSession" or model.path_of(c.func) in _EXPORTS for c in calls)


_EXPORTS = frozenset({"torch.onnx.export", "torch.jit.trace"})


def is_demonstrated(model: ScriptModel, forward: Forward) -> bool:
    """Whether a file that defines a network runs it on made-up data where it is started itself."""
    node = forward.node
    above = (a.test for a in model.ancestors(node) if isinstance(a, cst.If))
    if not any(isinstance(test, cst.Comparison) and dotted(test.left) == "__name__" for test in above):
        return False
    bases = (base.value for owner in model.names.every(cst.ClassDef) for base in owner.bases)
    defines = any(last_name(base).endswith("Module") for base in bases)
    return defines and isinstance(node, cst.Call) and all(_is_made_up(model, a.value) for a in node.args)


def _is_made_up(model: ScriptModel, value: cst.BaseExpression, depth: int = 4) -> bool:
    """Whether a value is a constant, or tensors that are made of sizes only."""
    if literal(value) is not UNKNOWN:
        return True
    if isinstance(value, (cst.Tuple, cst.List)):
        return depth > 0 and all(_is_made_up(model, e.value, depth - 1) for e in value.elements)
    if isinstance(value, cst.Dict):
        return depth > 0 and all(_is_made_up(model, e.value, depth - 1) for e in value.elements)
    if isinstance(value, cst.Call):
        parent, _, name = model.path_of(value.func).rpartition(".")
        method = value.func.value if isinstance(value.func, cst.Attribute) else None
        if parent or method is None:
            return parent == "torch" and name in _MADE_UP
        return depth > 0 and _is_made_up(model, method, depth - 1)
    sources = [source.node for source in value_sources(model, value) if source.kind == "value"]
    plain = [s for s in sources if isinstance(s, cst.BaseExpression) and s is not value]
    return bool(plain) and depth > 0 and all(_is_made_up(model, s, depth - 1) for s in plain)


@cached
def _asserts_alone(model: ScriptModel, scope: cst.CSTNode) -> bool:
    """Whether a `test_` function takes nothing, and asserts: pytest runs it without an import."""
    if not isinstance(scope, cst.FunctionDef) or scope.params.params:
        return False
    return any(True for _ in model.every(cst.Assert, scope))


def _in_test_class(model: ScriptModel, frame: Frame) -> bool:
    owner = model.owner_class(frame)
    return owner is not None and _is_test_class(model, owner)


def _is_test_class(model: ScriptModel, owner: cst.ClassDef) -> bool:
    """Whether a class is one of unit tests, by a base or by its name. What a runner collects has no
    constructor, and what inherits from other classes has tests: `TestScore(Callback)` tests a network."""
    bases = [last_name(base.value) for base in owner.bases]
    if any(hints.TEST_CLASS.search(base) for base in bases):
        return True
    own = [method.name.value for method in methods(owner)]
    if not hints.TEST_CLASS.search(owner.name.value) or "__init__" in own:
        return False
    return not bases or any(name.startswith("test") for name in own)


def stands_in_unit_test(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a node stands in a test function of a unit test, or in the class of one."""
    if model.test_functions:
        return False
    for above in model.ancestors(node):
        if isinstance(above, cst.ClassDef) and _is_test_class(model, above):
            return True
        if isinstance(above, cst.FunctionDef) and above.name.value.startswith("test_"):
            return model.imports("pytest", "unittest")
    return False


@cached
def _compares(model: ScriptModel, scope: cst.CSTNode) -> bool:
    """Whether code demands that tensors are alike: a function that does is a test, whatever it is called.

    One that goes through a loader checks its results in passing, and is none.
    """
    names = [n for n in model.walk(scope) if type(n) is cst.Name]
    demands = (n for n in names if n.value in _ALIKE and _demands(model, n))
    if not any(isinstance(scope, cst.FunctionDef) or model.function_of(n) is None for n in demands):
        return False
    return not any(n.value == "DataLoader" or kind_of(model, n) == "loader" for n in names)


def _demands(model: ScriptModel, name: cst.Name) -> bool:
    return name.value.startswith("assert") or any(isinstance(a, cst.Assert) for a in model.ancestors(name))
