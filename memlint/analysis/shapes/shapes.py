"""Which shape the tensor or array has that an expression gives, as far as the file shows it.

Followed are the definitions that reach a name, layers, the forward of classes of the file, and the data sets
behind the batches of a loader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

import libcst as cst

from memlint.analysis.dataflow.constants import MISSING, constant
from memlint.analysis.dataflow.definitions import Definition
from memlint.analysis.dataflow.functions import definition, parameters
from memlint.analysis.dataflow.reaching_definitions import methods, reaching_definitions
from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import libraries
from memlint.analysis.model import ScriptModel
from memlint.analysis.shapes.layers import output_shape
from memlint.analysis.shapes.pictures import picture_shape
from memlint.analysis.shapes.sizes import (
    Shape,
    Size,
    broadcast,
    merged,
    product,
    rank,
    reduced,
    squeezed,
    turned,
    unsqueezed,
)
from memlint.records import dataclass
from memlint.syntax.arguments import argument, keyword
from memlint.syntax.expressions import item_key, literal
from memlint.syntax.tree import last_name

_DEPTH = 24
_MEMBERS = 4
"""Members of a sample that are looked at, at most."""
_SIZED = frozenset("randn rand zeros ones empty full random random_sample standard_normal".split())
_SIZE_AT = {"randint": 2, "normal": 2, "uniform": 2, "full": 0}
"""Where functions take the size that may be given as `size=`."""

_HOLDS = frozenset(
    "tensor as_tensor from_numpy FloatTensor LongTensor DoubleTensor array asarray asfarray Variable "
    "Parameter".split()
)
_PRODUCTS = frozenset({"matmul", "mm", "bmm"})
_LINES = frozenset({"linspace", "arange", "logspace", "randperm"})
_ELEMENTWISE = frozenset(
    "sin cos tan exp log log1p sqrt abs sigmoid tanh relu gelu softplus leaky_relu dropout softmax "
    "log_softmax square clamp clip zeros_like ones_like rand_like randn_like full_like empty_like".split()
)
_SAME = libraries.DEVICE_MOVES | frozenset(
    "long int bool clone detach contiguous type_as numpy astype copy requires_grad_ pin_memory masked_fill "
    "add sub mul div pow round".split()
) | _ELEMENTWISE  # fmt: skip
_REDUCES = frozenset("sum mean std var amax amin argmax argmin logsumexp any all norm".split())
_WRAPS_LOADER = frozenset({"enumerate", "tqdm", "track", "progress_bar"})
_WRAPPERS = frozenset({"DataParallel", "DistributedDataParallel", "compile", "prepare"})
_NUMBERS = (cst.Integer, cst.Float)


def shape_of(model: ScriptModel, node: cst.BaseExpression) -> Shape | None:
    """The shape of the value of an expression; None where nothing is known of it."""
    return _Walk(model).of(node)


def sample_shapes(model: ScriptModel, data: cst.BaseExpression) -> list[Shape | None]:
    """The shapes of the members of a sample of a data set; [] where nothing is known of it."""
    walk = _Walk(model)
    found: list[Shape | None] = []
    for index in range(_MEMBERS):
        shape = walk.sample(data, index)
        if shape is None and index > 0 and not any(found):
            break
        found.append(shape)
    while found and found[-1] is None:
        found.pop()
    return found


@dataclass(slots=True)
class _Walk:
    """One walk back from an expression. `given` has the shapes of arguments of the functions on the way,
    `known` what was found: the callers of a method may lead to an argument on many ways."""

    model: ScriptModel
    given: Mapping[cst.CSTNode, Shape | None] = field(default_factory=dict)
    active: set[cst.CSTNode] = field(default_factory=set)
    known: dict[cst.CSTNode, Shape | None] = field(default_factory=dict)

    def of(self, node: cst.CSTNode) -> Shape | None:
        if node in self.active or len(self.active) > _DEPTH:
            return None
        if node not in self.known:
            self.active.add(node)
            self.known[node] = self._of(node)
            self.active.discard(node)
        return self.known[node]

    def _of(self, node: cst.CSTNode) -> Shape | None:
        match node:
            case cst.Name() | cst.Attribute():
                return self._named(node)
            case cst.Call():
                return self._called(node)
            case cst.Subscript():
                return self._part(node)
            case cst.BinaryOperation(operator=cst.MatrixMultiply()):
                return product(self.of(node.left), self.of(node.right))
            case cst.BinaryOperation():
                return broadcast(self.of(node.left), self.of(node.right))
            case cst.UnaryOperation():
                return self.of(node.expression)
            case cst.IfExp():
                return merged([self.of(node.body), self.of(node.orelse)])
            case cst.Integer() | cst.Float():
                return ()
        return None

    # --- names ----------------------------------------------------------------------------------------

    def _named(self, node: cst.Name | cst.Attribute) -> Shape | None:
        if isinstance(node, cst.Attribute):
            owner = node.value
            if node.attr.value == "values" and isinstance(owner, cst.Subscript):
                return _columns(owner)
            if node.attr.value == "mT":
                return turned(self.of(owner), (-2, -1))
            if node.attr.value in ("data", "T"):
                shape = self.of(owner)
                return shape if shape is None or node.attr.value == "data" else shape[::-1]
        found = reaching_definitions(self.model, node)
        return merged([self._defined(d, node) for d in found])

    def _defined(self, found: Definition, read: cst.Name | cst.Attribute) -> Shape | None:
        if found.kind == "value":
            return self.of(found.node)
        if found.kind == "item":
            return self._item(found.node, found.index)
        loop = self.model.parent(found.node)
        if found.kind in ("each item", "other") and isinstance(loop, cst.For):
            index = _member(loop.target, last_name(read))
            return self._batch(loop.iter, index) if index is not None else None
        if found.kind == "param":
            if found.node in self.given:
                return self.given[found.node]
            passed = [d for d in value_sources(self.model, read) if d.node is not read]
            return merged([self._defined(d, read) if d.kind in ("value", "item") else None for d in passed])
        return None

    def _item(self, node: cst.CSTNode, index: int) -> Shape | None:
        """Number `index` of what a call gives: of data made to try things out, a split, a batch."""
        if not isinstance(node, cst.Call):
            return None
        path, name = self.model.path_of(node.func), last_name(node.func)
        if path.startswith("sklearn.datasets."):
            return ((None, None), (None,))[index] if index < 2 else None
        if name == "train_test_split" and index < 2 * len(node.args) and not node.args[index // 2].keyword:
            shape = self.of(node.args[index // 2].value)
            return (None, *shape[1:]) if shape else None
        if name == "next" and node.args and isinstance(node.args[0].value, cst.Call):
            inner = node.args[0].value
            return self._batch(inner.args[0].value, index) if inner.args else None
        return None

    # --- batches --------------------------------------------------------------------------------------

    def _batch(self, loader: cst.BaseExpression, index: int) -> Shape | None:
        """Member `index` of the batches of a loader."""
        if isinstance(loader, cst.Call) and last_name(loader.func) in _WRAPS_LOADER:
            return self._batch(loader.args[0].value, index) if loader.args else None
        found: list[Shape | None] = []
        for call in self._makers(loader):
            data = argument(call, 0, "dataset")
            made = libraries.LOADER_PATHS.match(self.model.path_of(call.func)) is not None
            shape = self.sample(data, index) if made and data is not None else None
            found.append((None, *shape) if shape is not None else None)
        return merged(found)

    def sample(self, data: cst.BaseExpression, index: int) -> Shape | None:
        """Member `index` of the samples of a data set."""
        found: list[Shape | None] = []
        for call in self._makers(data):
            path, owner = self.model.path_of(call.func), definition(self.model, call.func)
            if libraries.IN_MEMORY_DATASETS.match(path) and index < len(call.args):
                shape = self.of(call.args[index].value)
                found.append(shape[1:] if shape else None)
            elif libraries.DATASET_WRAPPERS.match(path) and call.args:
                found.append(self.sample(call.args[0].value, index))
            elif isinstance(owner, cst.ClassDef) and (get := methods(self.model, owner).get("__getitem__")):
                given: dict[cst.CSTNode, Shape | None] = dict.fromkeys(parameters(get)[1:], ())
                parts = [p for r in _returned(self.model, get) for p in _members(r)[index : index + 1]]
                shapes = [_Walk(self.model, given, self.active).of(part) for part in parts]
                known = merged(shapes)
                found.append(picture_shape(self.model, call) if known is None and index == 0 else known)
            elif index == 0:
                found.append(picture_shape(self.model, call))
            else:
                found.append(() if index == 1 and libraries.CLASSIFIED_DATASETS.match(path) else None)
        return merged(found)

    def _makers(self, node: cst.BaseExpression) -> Iterator[cst.Call]:
        """The calls that make what an expression stands for, past moves to a device and wrappers."""
        for found in value_sources(self.model, node):
            call = found.node
            while isinstance(call, cst.Call):
                func = call.func
                if isinstance(func, cst.Attribute) and func.attr.value in libraries.DEVICE_MOVES:
                    inner = func.value
                elif last_name(func) in _WRAPPERS and call.args:
                    inner = call.args[0].value
                else:
                    yield call
                    break
                if not isinstance(inner, cst.Call):
                    if inner is not node and inner not in self.active:
                        self.active.add(inner)
                        yield from self._makers(inner)
                        self.active.discard(inner)
                    break
                call = inner

    # --- calls ----------------------------------------------------------------------------------------

    def _called(self, call: cst.Call) -> Shape | None:
        path, name = self.model.path_of(call.func), last_name(call.func)
        if name in ("int", "float", "len") and isinstance(call.func, cst.Name):
            return ()
        if path.startswith(("torch.", "numpy.")):
            return self._function(call, name)
        if isinstance(call.func, cst.Attribute) and (shape := self._method(call, call.func)) is not None:
            return shape
        return merged([self._forward(made, call) for made in self._makers(call.func)])

    def _function(self, call: cst.Call, name: str) -> Shape | None:
        """A function of torch or NumPy."""
        first = call.args[0].value if call.args else None
        if name in _SIZED or name in _SIZE_AT:
            at = _SIZE_AT.get(name)
            sizes = argument(call, at, "size") if at is not None else keyword(call, "size")
            plain = [a.value for a in call.args if a.keyword is None]
            return self._sizes([sizes] if sizes is not None else plain if name in _SIZED else [])
        if name in _LINES:
            return (None,)
        if first is None:
            return None
        if name in _HOLDS:
            return self._content(first)
        if name in _ELEMENTWISE:
            return self.of(first)
        rest = [a.value for a in call.args[1:]]
        if name in _PRODUCTS and rest:
            return product(self.of(first), self.of(rest[0]))
        return self._changed(name, self.of(first), rest, call)

    def _method(self, call: cst.Call, func: cst.Attribute) -> Shape | None:
        """A method of a tensor or array."""
        name, plain = func.attr.value, [a.value for a in call.args if a.keyword is None]
        if name == "to_numpy" and isinstance(func.value, cst.Subscript):
            return _columns(func.value)
        if name in ("view", "reshape", "expand"):
            return self._sizes(plain)
        if name in _PRODUCTS and plain:
            return product(self.of(func.value), self.of(plain[0]))
        if name in ("view_as", "reshape_as", "expand_as") and plain:
            return self.of(plain[0])
        shape = self.of(func.value)
        return shape if name in _SAME else self._changed(name, shape, plain, call)

    def _changed(
        self, name: str, shape: Shape | None, rest: list[cst.BaseExpression], call: cst.Call
    ) -> Shape | None:
        """What adding, removing or reducing dimensions makes of a shape; `rest` are the numbers given."""
        given = keyword(call, "dim") or keyword(call, "axis") or (rest[0] if rest else None)
        at = literal(given) if given is not None else None
        if name == "flatten":
            return (None,) if given is None else (None, None) if at == 1 else None
        if name in ("transpose", "swapaxes", "permute", "t"):
            order = [0, 1] if name == "t" else [literal(node) for node in rest]
            return turned(shape, [n for n in order if isinstance(n, int)])
        if name == "unsqueeze":
            return unsqueezed(shape, at)
        if name == "squeeze":
            return squeezed(shape, at)
        if name in _REDUCES:
            kept = keyword(call, "keepdim") or keyword(call, "keepdims")
            return reduced(shape, at, kept is not None)
        return None

    def _forward(self, made: cst.Call, call: cst.Call) -> Shape | None:
        """What a module gives that `made` makes, for the arguments of a call."""
        owner = definition(self.model, made.func)
        if isinstance(owner, cst.ClassDef):
            forward = methods(self.model, owner).get("forward")
            if forward is None:
                return None
            plain = [a.value for a in call.args if a.keyword is None and not a.star]
            pairs = zip(parameters(forward)[1:], map(self.of, plain), strict=False)
            given: dict[cst.CSTNode, Shape | None] = dict(pairs)
            inner = _Walk(self.model, given, self.active)
            return merged([inner.of(value) for value in _returned(self.model, forward)])
        shape = self.of(call.args[0].value) if call.args else None
        return self._through(made, shape)

    def _through(self, made: cst.Call, shape: Shape | None) -> Shape | None:
        """What a layer, or a row of layers, makes of a shape."""
        path = self.model.path_of(made.func)
        if path in ("torch.nn.Sequential", "torch.nn.modules.container.Sequential"):
            for arg in made.args:
                layers = list(self._makers(arg.value)) if not arg.star else []
                shape = self._through(layers[0], shape) if len(layers) == 1 else None
            return shape
        width = argument(made, 1, "out_features")
        return output_shape(path, shape, constant(self.model, width) if width is not None else MISSING)

    # --- sizes ----------------------------------------------------------------------------------------

    def _sizes(self, given: list[cst.BaseExpression]) -> Shape | None:
        """Sizes as functions take them, one by one or in a tuple."""
        if len(given) == 1 and isinstance(given[0], (cst.Tuple, cst.List)):
            given = [element.value for element in given[0].elements]
        elif len(given) == 1 and not isinstance(given[0], _NUMBERS) and literal(given[0]) != -1:
            known = constant(self.model, given[0])
            return (known,) if isinstance(known, int) else (None,) if self._is_number(given[0]) else None
        numbers = [constant(self.model, size) for size in given]
        known = tuple(n if isinstance(n, int) and n >= 0 else None for n in numbers)
        return known or None

    def _is_number(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is one number: `len(x)`, `x.shape[0]`, `x.size(0)`."""
        sources = [d.node for d in value_sources(self.model, node)]
        return bool(sources) and all(self.of(s) == () or _is_size(s) for s in sources)

    def _content(self, node: cst.BaseExpression) -> Shape | None:
        """The shape of a tensor that is made of a number, an array, or a list that is written out."""
        if not isinstance(node, (cst.List, cst.Tuple)):
            return self.of(node)
        if any(isinstance(e, cst.StarredElement) for e in node.elements):
            return None
        inner = merged([self._content(e.value) for e in node.elements])
        return (len(node.elements), *inner) if inner is not None else None

    def _part(self, node: cst.Subscript) -> Shape | None:
        """What indexing leaves of a shape."""
        shape = self.of(node.value)
        if shape is None or rank(shape) is None:
            return None
        left, found = list(shape), list[Size]()
        for element in node.slice:
            index = element.slice
            if isinstance(index, cst.Index) and literal(index.value) is None:
                found.append(1)
                continue
            if not left:
                return None
            size = left.pop(0)
            if isinstance(index, cst.Slice):
                whole = index.lower is None and index.upper is None and index.step is None
                found.append(size if whole else None)
            elif isinstance(index, cst.Index):
                cut = self.of(index.value)
                if cut is None or (cut and len(node.slice) > 1):
                    return None
                found += cut
        return (*found, *left)


def _columns(table: cst.Subscript) -> Shape | None:
    """`df["price"]`, `df[["a", "b"]]`"""
    index = table.slice[0].slice if len(table.slice) == 1 else None
    if not isinstance(index, cst.Index):
        return None
    if isinstance(index.value, cst.List):
        return (None, len(index.value.elements))
    return (None,) if isinstance(index.value, cst.SimpleString) else None


def _is_size(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Subscript):
        return last_name(node.value) == "shape" and isinstance(item_key(node), int)
    return isinstance(node, cst.Call) and last_name(node.func) == "size" and bool(node.args)


def _members(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The members of a sample: of a tuple, of a dictionary, or the one tensor that it is."""
    if isinstance(value, cst.Dict):
        return [e.value for e in value.elements]
    return [e.value for e in value.elements] if isinstance(value, (cst.Tuple, cst.List)) else [value]


def _member(target: cst.BaseExpression, name: str) -> int | None:
    """The position of a name among the members of the batch that a loop takes: of `y` in `i, (x, y)`."""
    if not isinstance(target, (cst.Tuple, cst.List)):
        return None
    inner = [e.value for e in target.elements if isinstance(e.value, (cst.Tuple, cst.List))]
    if len(inner) == 1:
        return _member(inner[0], name)
    names = [last_name(e.value) for e in target.elements]
    return names.index(name) if name in names else None


def _returned(model: ScriptModel, function: cst.FunctionDef) -> list[cst.BaseExpression]:
    found = (r for r in model.every(cst.Return, function.body) if model.function_of(r) is function)
    return [r.value for r in found if r.value is not None]
