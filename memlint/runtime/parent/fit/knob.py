"""A number of the script that can be changed from outside: where it is, and the script with another value."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memlint.errors import UsageError
from memlint.runtime.parent.fit import one_form, unrolled
from memlint.runtime.parent.fit.change import Change

LOADER = "DataLoader"
_REFERENCES = (ast.Name, ast.Attribute, ast.Subscript)
PLACES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Knob:
    """What `--max-batch` or `--max` names: `what` says what it is in the script, `given` its value there.

    `micro` is how many batches a step sums, where that is changed with it so that a step sees as many items.
    """

    name: str
    what: str
    given: int
    with_value: Callable[[int], Change]
    micro: Knob | None = None

    def change(self, value: int) -> Change:
        """The script with another value."""
        return self.with_value(value)


@dataclass(frozen=True, slots=True)
class _Place:
    """A number in a file: what stands there, and for a keyword the call that it belongs to."""

    path: str
    node: ast.expr
    call: ast.Call | None = None

    @property
    def value(self) -> int:
        return _number(self.node)

    @property
    def in_words(self) -> str:
        return f"{self.path}:{self.node.lineno}"


def find(
    name: str,
    arguments: Sequence[str],
    texts: Mapping[str, str],
    absolute: Callable[[str], str],
    seen: frozenset[str] = frozenset(),
) -> Knob:
    """What `name` is in the script: an option, a name, a keyword of its DataLoader or of another call.

    `arguments` are the script's sys.argv, `texts` those of its files by the paths that reports show. `seen`
    are names that led to this one: what they stand for is not in a circle.

    Raises:
        UsageError: nothing is called so, or several numbers are, or its value is not known.
    """
    option = _option(name, arguments, texts)
    if option is not None:
        return option
    path = _KEY.sub(lambda key: f".{key[2] or key[3]}", name)
    if not re.sub(r"[.-]", "_", path).isidentifier() or not all(path.split(".")) or name.startswith("-"):
        calls = (call for text in texts.values() for call in unrolled.calls(ast.parse(text)))
        options = (word for call in calls for word in _texts(call) if word.startswith("-"))
        raise UsageError(f"{name!r} is no option or name of the script", _near(name, options))
    trees = one_form.trees(texts)
    *owners, last = path.split(".")
    inside = _inside(owners, last, trees)
    if owners:
        _refuse_other_owners(owners, last, trees, inside is None)
    places = _places(last, trees, inside)
    if not places or _is_passed(last, places, trees) or (not owners and _trains_with(last, trees)):
        try:
            return _followed(last, arguments, texts, trees, absolute, seen | {name}, inside)
        except UsageError:
            if not places:
                raise
    values = {place.value for place in places}
    if len(values) > 1:
        one, other = (next(place for place in places if place.value == value) for value in sorted(values)[:2])
        where = f"{one.value} in {one.in_words} and {other.value} in {other.in_words}"
        raise UsageError(f"{name} is {where}")

    def with_value(value: int) -> Change:
        files = {place.path for place in places}
        overlay = tuple(
            (absolute(path), _edited(texts[path], [p for p in places if p.path == path], value))
            for path in sorted(files)
        )
        return Change(_slug(name, value), f"{name} = {value}", overlay)

    where = ", ".join(place.in_words for place in places[:PLACES_SHOWN])
    return Knob(name, where, values.pop(), with_value)


def with_micro_batches(
    batch: Knob,
    name: str,
    arguments: Sequence[str],
    texts: Mapping[str, str],
    absolute: Callable[[str], str],
) -> Knob:
    """The same, with `name` so many times larger as the batches are smaller: what a step sees is the same.

    Raises:
        UsageError: nothing is called so, or it is one batch for each step.
    """
    micro = find(name, arguments, texts, absolute)
    if micro.given == 1:
        raise UsageError(f"{name} is 1 here")

    def with_value(value: int) -> Change:
        one = batch.change(value)
        edited = dict(one.overlay)
        now = {path: edited.get(absolute(path), text) for path, text in texts.items()}
        more = find(name, one.arguments or arguments, now, absolute)
        other = more.change(micro.given * batch.given // value)
        return Change(
            f"{one.name}-{other.name}", f"{one.title} and {other.title}",
            tuple({**edited, **dict(other.overlay)}.items()), other.arguments or one.arguments,
        )  # fmt: skip

    return replace(batch, with_value=with_value, micro=micro)


_KEY = re.compile(r"""(?:\[|\.get\()(['"])([\w-]+)\1(?:, *\w+)?[\])]|\[(\d+)\]""")
"""A key in a name, as in cfg["train"]["batch_size"]: the same as an attribute of that name."""


def _near(word: str, known: Iterable[str]) -> str:
    """What may be meant by a word that is not known; "" where nothing is spelled like it."""
    near = difflib.get_close_matches(word, set(known), 1)
    return f"is it {near[0]}?" if near else ""


def _slug(name: str, value: int) -> str:
    return f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}-{value}"


# --- options --------------------------------------------------------------------------------------------


def _option(name: str, arguments: Sequence[str], texts: Mapping[str, str]) -> Knob | None:
    """An option among the arguments ("--batch-size 8", "-b8", "batch=8"), or one with a default."""
    names = _spellings(name, texts)
    at = next((n for n, word in enumerate(arguments) if n and _spelled(word, names)), None)
    if at is None:
        default = _default(name, texts) if name.startswith("-") else None
        if default is None:
            return None

        def appended(value: int) -> Change:
            new = (arguments[0], name, str(value), *arguments[1:])
            return Change(_slug(name, value), f"{name} {value}", arguments=new)

        return Knob(name, "option of the script, by default", default, appended)
    given = _spelled(arguments[at], names)
    joined = given != arguments[at]
    if not joined and not name.startswith("-"):
        return None
    text = arguments[at].removeprefix(given) if joined else (*arguments[at + 1 : at + 2], "")[0]
    if not text.isdecimal():
        raise UsageError(f"{name} is {text!r} here: only whole numbers can be searched")

    def replaced(value: int) -> Change:
        new = list(arguments)
        if joined:
            new[at] = f"{given}{value}"
        else:
            new[at + 1] = str(value)
        return Change(_slug(name, value), f"{name} {value}", arguments=tuple(new))

    return Knob(name, "option of the script", int(text), replaced)


def _spellings(name: str, texts: Mapping[str, str]) -> frozenset[str]:
    """How an option may be given: by its name, by another one of it, or by a beginning that no other has."""
    if not name.startswith("-"):
        return frozenset((name,))
    calls = (call for text in texts.values() for call in unrolled.calls(ast.parse(text)))
    options = [{word for word in _texts(call) if word.startswith("-")} for call in calls]
    own = {name}.union(*(row for row in options if name in row))
    others = {word for row in options for word in row} - own
    begun = (word[:end] for word in own if word.startswith("--") for end in range(3, len(word)))
    return frozenset(own.union(b for b in begun if not any(other.startswith(b) for other in others)))


def _texts(call: ast.Call) -> list[str]:
    values = (arg.value for arg in call.args if isinstance(arg, ast.Constant))
    return [value for value in values if isinstance(value, str)]


def _spelled(word: str, names: frozenset[str]) -> str:
    """The option that an argument gives, with the "=" where its value follows; "" where it is another one."""
    name, equals, _ = word.partition("=")
    if name in names:
        return f"{name}{equals}"
    short = word[:2]
    return short if short in names and not short.startswith("--") and word[2:].isdecimal() else ""


def _default(option: str, texts: Mapping[str, str]) -> int | None:
    """The number that an option has where it is not given: that of add_argument() or of a decorator."""
    for text in texts.values():
        for call in unrolled.calls(ast.parse(text)):
            default = next((k.value for k in call.keywords if k.arg == "default"), None)
            if option in _texts(call) and _is_number(default):
                return _number(default)
    return None


# --- names and keywords ---------------------------------------------------------------------------------


def _places(name: str, trees: Mapping[str, ast.Module], inside: set[int] | None = None) -> list[_Place]:
    """The numbers that a name stands for: bound to it, else given by a keyword, a default or a key."""
    kept = {id(value) for value in _values(name, trees)} - _overridden(name, trees)
    if inside is not None:
        kept &= inside
    for kind in (_bound, _given, _by_default, _keyed):
        found = [place for path, tree in trees.items() for place in kind(name, path, tree)]
        found = [place for place in found if id(place.node) in kept]
        if found and not (kind is _given and _are_of_evaluations(name, found, trees)):
            return _that_train(found)
    return []


def _values(name: str, trees: Mapping[str, ast.Module]) -> list[ast.expr]:
    """All that is bound to a name, or given by it as a keyword, a default or behind a key."""
    return [value for tree in trees.values() for called, value in _named(tree) if called == name]


def _named(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """All that has a name in a file, with it."""
    for called, value in _bindings(tree):
        if value is not None:
            yield called.rpartition(".")[2], value
    for keyword in (keyword for call in _calls(tree) for keyword in _named_arguments(call)):
        if keyword.arg is not None:
            yield keyword.arg, keyword.value
    yield from ((called, default) for called, default in _defaults(tree) if default is not None)
    yield from ((str(key), value) for key, value in _keys(tree))


def _inside(owners: Sequence[str], name: str, trees: Mapping[str, ast.Module]) -> set[int] | None:
    """The nodes in what is called `train` of train.batch_size; None where nothing of that name is in it.

    What an object is made of is in the call that makes it, else in its class.
    """
    values = {id(value) for value in _values(name, trees)}
    inside: set[int] | None = None
    for owner in reversed(owners):
        of_owner = _nodes_of(owner, trees)
        for nodes in (of_owner, [one for node in of_owner for one in _classes_in(node, trees)]):
            parts = {id(part) for node in nodes for part in ast.walk(node)}
            if kept := values & (parts if inside is None else parts & inside):
                inside = kept
                break
    return inside


def _refuse_other_owners(
    owners: Sequence[str], last: str, trees: Mapping[str, ast.Module], nowhere: bool
) -> None:
    """Refuse what is said to be in something that is not there, or is written out without it.

    A place in a list is refused where it is in nothing of the names (`nowhere`): others mean nothing.

    Raises:
        UsageError: it is so; the message says what there is.
    """
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    known = {word for node in nodes for word in _own_names(node)}
    for owner in owners:
        if owner not in known and not owner.isdecimal():
            raise UsageError(f"nothing in the script is called {owner!r}", _near(owner, known))
    of_owner = _nodes_of(owners[-1], trees)
    parts = {id(part) for node in of_owner for part in ast.walk(node)}
    is_there = any(id(value) in parts for value in _values(last, trees))
    written_out = bool(of_owner) and all(map(_is_written_out, of_owner))
    if (written_out and not is_there) or (last.isdecimal() and nowhere):
        raise UsageError(f"{owners[-1]} has no number {last!r} in the script")


def _own_names(node: ast.AST) -> list[str]:
    """The names that a node has, or gives to something."""
    if isinstance(node, ast.Subscript):
        return [_called(node)]
    keys = node.keys if isinstance(node, ast.Dict) else []
    words = [key.value for key in keys if isinstance(key, ast.Constant)]
    words += [getattr(node, field, None) for field in ("id", "attr", "arg", "name")]
    return [word for word in words if isinstance(word, str)]


def _is_written_out(node: ast.AST) -> bool:
    """Whether all that is in it stands there: in a dictionary, or a class of its own."""
    if isinstance(node, ast.Dict):
        return bool(node.keys) and None not in node.keys
    return isinstance(node, ast.ClassDef) and not node.bases


def _nodes_of(owner: str, trees: Mapping[str, ast.Module]) -> list[ast.AST]:
    """What has that name: a value bound to it or a part of it, given by it or behind it as a key, a class."""
    found: list[ast.AST] = [*_values(owner, trees)]
    for tree in trees.values():
        found += [value for called, value in _bindings(tree) if owner in called.split(".")[:-1] and value]
        found += [call for call in _calls(tree) if _path(call.func).split(".")[-2:] == [owner, "update"]]
        found += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == owner]
    return found


def _classes_in(node: ast.AST, trees: Mapping[str, ast.Module]) -> list[ast.AST]:
    """The classes that are named in it: C() and field(default_factory=C) make one."""
    named = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    nodes = (one for tree in trees.values() for one in ast.walk(tree))
    return [one for one in nodes if isinstance(one, ast.ClassDef) and one.name in named]


def _overridden(name: str, trees: Mapping[str, ast.Module]) -> set[int]:
    """The values of that name in classes whose every call gives another one."""
    found: set[int] = set()
    calls = [call for tree in trees.values() for call in _calls(tree)]
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        if isinstance(node, ast.ClassDef):
            made = [call for call in calls if _called(call.func) == node.name]
            if made and all(any(k.arg == name for k in call.keywords) for call in made):
                fields = [one for one in node.body if isinstance(one, (ast.Assign, ast.AnnAssign))]
                found |= {id(part) for field in fields for part in ast.walk(field)}
    return found


def _are_of_evaluations(name: str, places: Sequence[_Place], trees: Mapping[str, ast.Module]) -> bool:
    """Whether the numbers are those of loaders that do not shuffle, and one that does is given a variable."""
    if any(p.call is None or _called(p.call.func) != LOADER or _is_shuffled(p.call) for p in places):
        return False
    return bool(_trains_with(name, trees))


def _trains_with(name: str, trees: Mapping[str, ast.Module]) -> list[ast.expr]:
    """What a loader that shuffles is given by that keyword, where that is a reference."""
    calls = (call for tree in trees.values() for call in _calls(tree))
    loaders = (call for call in calls if _called(call.func) == LOADER and _is_shuffled(call))
    given = (k.value for call in loaders for k in _named_arguments(call) if k.arg == name)
    return [value for value in given if isinstance(value, _REFERENCES)]


def _named_arguments(call: ast.Call) -> list[ast.keyword]:
    """The arguments of a call by their names: the second one of a DataLoader is the size of its batches."""
    second = call.args[1:2] if _called(call.func) == LOADER else []
    return [*(ast.keyword("batch_size", value) for value in second), *call.keywords]


def _is_passed(name: str, places: Sequence[_Place], trees: Mapping[str, ast.Module]) -> bool:
    """Whether the numbers are defaults of parameters, and a call gives something else by that keyword."""
    defaults = {id(default) for tree in trees.values() for _, default in _defaults(tree)}
    keywords = (k for tree in trees.values() for call in _calls(tree) for k in call.keywords)
    return all(id(p.node) in defaults for p in places) and any(
        k.arg == name and isinstance(k.value, _REFERENCES) for k in keywords
    )


def _bound(name: str, path: str, tree: ast.Module) -> Iterator[_Place]:
    for called, value in _bindings(tree):
        if called.rpartition(".")[2] == name and _is_number(value):
            yield _Place(path, value)  # type: ignore[arg-type]


def _bindings(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    """Each name, attribute or key that is assigned to, with the value, those of `a, b = 1, 2` one by one."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = zip(target.elts, node.value.elts, strict=False)
                    yield from ((_path(each), value) for each, value in pairs)
                else:
                    yield _path(target), _default_in(node) or node.value


def _default_in(node: ast.Assign | ast.AnnAssign) -> ast.expr | None:
    """What a field with a type is by default: that of `batch: int = field(default=8)`."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
        return next((k.value for k in node.value.keywords if k.arg == "default"), None)
    return None


def _given(name: str, path: str, tree: ast.Module) -> Iterator[_Place]:
    for call in _calls(tree):
        for keyword in _named_arguments(call):
            if keyword.arg == name and _is_number(keyword.value):
                yield _Place(path, keyword.value, call)


def _by_default(name: str, path: str, tree: ast.Module) -> Iterator[_Place]:
    for called, default in _defaults(tree):
        if called == name and _is_number(default):
            yield _Place(path, default)  # type: ignore[arg-type]


def _defaults(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    """Each parameter that has a default, with it."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            spec = node.args
            positional = [*spec.posonlyargs, *spec.args]
            pairs = zip(reversed(positional), reversed(spec.defaults), strict=False)
            for arg, default in (*pairs, *zip(spec.kwonlyargs, spec.kw_defaults, strict=True)):
                yield arg.arg, default


def _keyed(name: str, path: str, tree: ast.Module) -> Iterator[_Place]:
    return (_Place(path, value) for key, value in _keys(tree) if key == name and _is_number(value))


def _keys(tree: ast.Module) -> Iterator[tuple[object, ast.expr]]:
    """Each key of a dictionary that is written out, and each place in a list, with its value."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple)):
            yield from ((str(place), value) for place, value in enumerate(node.elts))
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    yield key.value, value


def _that_train(places: list[_Place]) -> list[_Place]:
    """Of several loaders those that shuffle: a loader for an evaluation keeps its size."""
    loaders = [p for p in places if p.call is not None and _called(p.call.func) == LOADER]
    shuffling = [p for p in loaders if p.call is not None and _is_shuffled(p.call)]
    return shuffling or loaders or places


def _is_shuffled(loader: ast.Call) -> bool:
    return any(map(_shuffles, loader.keywords))


def _shuffles(keyword: ast.keyword) -> bool:
    if keyword.arg == "shuffle":
        return not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False)
    return keyword.arg in ("sampler", "batch_sampler")


def _followed(
    name: str,
    arguments: Sequence[str],
    texts: Mapping[str, str],
    trees: Mapping[str, ast.Module],
    absolute: Callable[[str], str],
    seen: frozenset[str],
    inside: set[int] | None = None,
) -> Knob:
    """What stands for a number: a name, or an option of the script (args.batch_size)."""
    problem: UsageError | None = None
    for value in _stand_ins(name, trees, inside):
        inner = _called(value)
        if isinstance(value, ast.Attribute):
            for option in _options_called(inner, trees):
                if (knob := _option(option, arguments, texts)) is not None:
                    return knob
        inner = _path(value)
        try:
            if inner not in seen:
                return find(inner, arguments, texts, absolute, seen)
        except UsageError as error:
            problem = problem or error
    for option in _options_called(name, trees):
        if (knob := _option(option, arguments, texts)) is not None:
            return knob
    known = (called for tree in trees.values() for called, _ in _named(tree))
    raise problem or UsageError(f"no number in the script is called {name!r}", _near(name, known))


def _stand_ins(name: str, trees: Mapping[str, ast.Module], inside: set[int] | None = None) -> list[ast.expr]:
    """The names and attributes that a name stands for: given by a keyword, as a default, or bound to it."""
    if inside is not None:
        owned = [value for value in _values(name, trees) if id(value) in inside]
        return [value for value in owned if isinstance(value, _REFERENCES)]
    calls = [call for tree in trees.values() for call in _calls(tree)]
    loaders = [call for call in calls if _called(call.func) == LOADER]
    of_loaders = [k.value for call in loaders for k in _named_arguments(call) if k.arg == name]
    of_others = (k.value for call in calls for k in call.keywords if k.arg == name)
    found: list[ast.expr | None] = [*(of_loaders or of_others)]
    for tree in trees.values():
        found += [default for called, default in _defaults(tree) if called == name]
        found += [value for called, value in _bindings(tree) if called.rpartition(".")[2] == name]
    return [value for value in found if isinstance(value, _REFERENCES)]


def _options_called(name: str, trees: Mapping[str, ast.Module]) -> Iterator[str]:
    """The options whose value has a name: by how it is spelled, or because `dest` says so."""
    yield f"--{name.replace('_', '-')}"
    yield f"--{name.replace('-', '_')}"
    for tree in trees.values():
        for call in _calls(tree):
            dest = next((k.value for k in call.keywords if k.arg == "dest"), None)
            if isinstance(dest, ast.Constant) and dest.value == name:
                yield from sorted(
                    (word for word in _texts(call) if word.startswith("-")), key=len, reverse=True
                )


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _called(node: ast.expr) -> str:
    """The last name of a reference: that of a variable, an attribute or a key."""
    if isinstance(node, ast.Subscript):
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return str(key) if isinstance(key, (str, int)) else ""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _path(node: ast.expr) -> str:
    """All names of a reference, as in cfg.train.batch_size."""
    inner = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None
    return f"{_path(inner)}.{_called(node)}" if inner is not None else _called(node)


def _is_number(node: ast.expr | None) -> bool:
    return _number(node) > 0


def _number(node: ast.expr | None) -> int:
    """A number, or a product of numbers (5 * 8) on one line; 0 for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else 0
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and node.lineno == node.end_lineno:
        return _number(node.left) * _number(node.right)
    return 0


def _edited(text: str, places: Sequence[_Place], value: int) -> str:
    """The text with another number in these places; columns of a syntax tree count bytes."""
    lines = text.split("\n")
    for place in sorted(places, key=lambda p: (p.node.lineno, p.node.col_offset), reverse=True):
        row = lines[place.node.lineno - 1].encode()
        new = row[: place.node.col_offset] + str(value).encode() + row[place.node.end_col_offset :]
        lines[place.node.lineno - 1] = new.decode()
    return "\n".join(lines)
