"""What the code of a data set keeps of the items that it has loaded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from memlint.analysis.dataflow.value_sources import value_sources
from memlint.analysis.knowledge import code_words, hints
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.containers import emptied_in
from memlint.analysis.training.lifetimes.bounds import size_is_checked
from memlint.analysis.training.loading.worker_code import Piece
from memlint.syntax.arguments import argument_for
from memlint.syntax.expressions import UNKNOWN, calls_in, literal, place, reads_place, speaks_of
from memlint.syntax.tree import dotted, last_name, root_name

_CACHES = re.compile(r"^(functools\.(lru_cache|cache)|cachetools\.func\.\w+|joblib\.Memory.*)$")
_HANDLES = re.compile(
    r"(^|\.)(open|File|connect|memmap|open_zarr|Reader|ZipFile|TarFile|VideoReader|Environment|Client|Lock"
    r"|open_memmap|Session|Connection|get_worker_info|Generator|default_rng|RandomState)$"
)
_FEW = 1024


def caches(model: ScriptModel, piece: Piece, others: Iterable[Piece]) -> Iterator[tuple[cst.CSTNode, str]]:
    """Where a function that workers run fills what lasts with what it has loaded, and the name of that.

    `others` are all functions that the same workers run: those that call this one are among them.
    """
    function = piece.function
    if piece.role == "collate" or not isinstance(function, cst.FunctionDef):
        return
    keyed = [p for p in function.params.params if p.name.value not in ("self", "cls")]
    for decorator in function.decorators if keyed else ():
        if _is_cache(model, decorator.decorator):
            yield decorator, f"{function.name.value}()"
    calls = [c for other in others for c in model.every(cst.Call, other.function)]
    keys = _item_names(model, function, calls)
    asked = {p.name.value for p in keyed} if function.name.value.startswith("__") else set()
    for node in model.walk(function.body):
        for owner, key, value in _stores(node):
            named = key is None or any(isinstance(n, cst.Name) and n.value in keys for n in model.walk(key))
            if not named or _converts(model, owner, value) or not _lasts(model, owner):
                continue
            if isinstance(value, cst.Name) and value.value in asked:
                continue
            if _is_data(model, value) and not _bounded(model, piece, function, owner):
                yield node, model.code(owner)


def _converts(model: ScriptModel, owner: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Whether an entry is only changed in place: `files[i] = Path(files[i])`."""
    return reads_place(value, [place(owner)])


def _is_cache(model: ScriptModel, node: cst.BaseExpression) -> bool:
    """Whether a decorator remembers results without a small limit."""
    call = node if isinstance(node, cst.Call) else None
    path = model.path_of(call.func if call is not None else node)
    if not _CACHES.match(path):
        return False
    if path == "functools.cache":
        return True
    sizes = [a.value for a in call.args if a.keyword is None or a.keyword.value == "maxsize"] if call else []
    if not sizes:
        return False
    ends = [o.node for o in value_sources(model, sizes[0])]
    return all(not isinstance(e, cst.Integer) or e.evaluated_value > _FEW for e in ends)


def _item_names(model: ScriptModel, function: cst.FunctionDef, calls: list[cst.Call]) -> set[str]:
    """The parameters of a function and what is computed from them: what may say which item is wanted, without
    settings of the data set, `self.rate`, and where a tensor lies."""
    names = {p.name.value for p in function.params.params} - {"self", "cls"}
    names -= _settings(function, names, calls)
    for node in model.walk(function.body):
        if isinstance(node, cst.Assign) and any(
            isinstance(n, cst.Name) and n.value in names and not _asks_for_place(model, n)
            for n in model.walk(node.value)
        ):
            names |= {n.value for t in node.targets for n in model.walk(t.target) if isinstance(n, cst.Name)}
    return names - {"self"}


def _settings(function: cst.FunctionDef, names: set[str], among: list[cst.Call]) -> set[str]:
    """The parameters for which all calls pass settings, `self.rate`, or literals."""
    calls = [call for call in among if last_name(call.func) == function.name.value]
    if not calls or any(arg.star for call in calls for arg in call.args):
        return set()
    given = {name: [argument_for(call, function, name) for call in calls] for name in names}
    return {name for name, values in given.items() if all(map(_is_fixed, values))}


def _asks_for_place(model: ScriptModel, name: cst.Name) -> bool:
    above = model.parent(name)
    return isinstance(above, cst.Attribute) and above.attr.value in ("device", "dtype")


def _is_fixed(value: cst.BaseExpression | None) -> bool:
    if value is None or literal(value) is not UNKNOWN:
        return True
    return isinstance(value, cst.Attribute) and bool(hints.SETTINGS_OBJECT.match(root_name(value)))


_Store = tuple[cst.BaseExpression, cst.BaseExpression | None, cst.BaseExpression]


def _stores(node: cst.CSTNode) -> Iterator[_Store]:
    """Container, key and value of `box[key] = value`, `box.setdefault(key, value)`, `box.append(value)`."""
    if isinstance(node, cst.Assign):
        targets = [t.target for t in node.targets]
        # `self.cache[i], rate = torchaudio.load(path)`
        parts = [e.value for t in targets if isinstance(t, cst.Tuple) for e in t.elements]
        for target in (*targets, *parts):
            if isinstance(target, cst.Subscript) and len(target.slice) == 1:
                index = target.slice[0].slice
                if isinstance(index, cst.Index):
                    yield target.value, index.value, node.value
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        name, args = node.func.attr.value, node.args
        if name == "setdefault" and len(args) == 2:
            yield node.func.value, args[0].value, args[1].value
        elif name == "append" and len(args) == 1:
            yield node.func.value, None, args[0].value
        elif name == "update" and len(args) == 1 and isinstance(args[0].value, cst.Dict):
            for element in args[0].value.elements:
                if isinstance(element, cst.DictElement):
                    yield node.func.value, element.key, element.value


def _lasts(model: ScriptModel, owner: cst.BaseExpression) -> bool:
    """Whether a container is an attribute of the data set or a global, and not shared between processes."""
    if isinstance(owner, cst.Attribute):
        if root_name(owner) != "self":
            return False
    elif isinstance(owner, cst.Name):
        names = model.names_of(owner)
        scope = names.scope_of(owner).owner(owner.value)
        # Of another module only the definitions are read that the run meets: its globals have no scope there.
        if scope is not names.module_scope and (scope is not None or model.owns(owner)):
            return False
    else:
        return False
    return not any(_is_shared(o.node) for o in value_sources(model, owner))


def _is_shared(node: cst.CSTNode) -> bool:
    """Whether what makes a container shares it between processes: `manager.dict()`, `np.memmap(...)`."""
    managed = (call.func for call in calls_in(node, "dict", "list") if isinstance(call.func, cst.Attribute))
    if any(speaks_of(func.value, code_words.MANAGER) for func in managed):
        return True
    return speaks_of(node, code_words.SHARED_STORAGE)


def _is_data(model: ScriptModel, value: cst.BaseExpression) -> bool:
    """Whether a stored value is loaded or computed data, not a flag, a number or an open file."""
    if isinstance(value, (cst.Name, cst.Attribute, cst.Subscript)):
        found = [o for o in value_sources(model, value) if o.kind == "value"]
        made = [o.node for o in found if isinstance(o.node, cst.Call)]
        if made:
            return any(_is_loaded(model, call) for call in made)
        return not isinstance(value, cst.Attribute) and not any(_is_plain(o.node) for o in found)
    if isinstance(value, cst.Call):
        return _is_loaded(model, value)
    if isinstance(value, (cst.Tuple, cst.List)):
        return any(_is_data(model, e.value) for e in value.elements)
    return isinstance(value, (cst.Dict, cst.ListComp, cst.DictComp))


def _is_plain(node: cst.CSTNode) -> bool:
    return isinstance(
        node,
        (cst.Integer, cst.Float, cst.SimpleString, cst.Comparison, cst.UnaryOperation, cst.FormattedString),
    ) or (isinstance(node, cst.Name) and node.value in ("True", "False", "None"))


def _is_loaded(model: ScriptModel, call: cst.Call) -> bool:
    name = model.path_of(call.func) or dotted(call.func)
    last = name.rpartition(".")[2]
    if last in (
        "len",
        "int",
        "float",
        "bool",
        "str",
        "sum",
        "min",
        "max",
        "time",
        "item",
        "hash",
        "id",
        "exists",
    ):
        return False
    return name == "PIL.Image.open" or not _HANDLES.search(name)


def _bounded(model: ScriptModel, piece: Piece, function: cst.FunctionDef, owner: cst.BaseExpression) -> bool:
    """Whether the code that fills a cache also empties or replaces it, looks at its size or shares it."""
    name, where = model.code(owner), piece.klass or model.module
    if emptied_in(model, name, function):
        return True
    if emptied_in(model, name, where, bindings=False) or size_is_checked(model, name, where):
        return True
    return any(dotted(call.func) == f"{name}.share_memory_" for call in model.every(cst.Call, where))
