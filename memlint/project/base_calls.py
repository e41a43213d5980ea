"""Which methods are called with gradients switched off, read from the text of classes and files."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from memlint.project import gate
from memlint.project.dependencies import Dependencies
from memlint.project.modules import Modules, Place
from memlint.project.outline import Outline
from memlint.records import dataclass
from memlint.source.parsing import parsed

MOST_BASES = 8
"""How many base classes, one above the other, are followed."""

MOST_CALLS = 6
"""How many functions, each called by the next, are followed."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ALWAYS_OFF = frozenset(["no_grad", "inference_mode"])

SWITCHES_OFF = _ALWAYS_OFF | {"set_grad_enabled"}
"""The words without one of which no code switches gradients off."""


@dataclass(slots=True)
class OwnCalls:
    """The calls `self.method(...)` in a class, each as the method that calls, the one that is called and
    whether that is under no_grad; the methods that it defines, those of them that call `super()`, and those
    that do so under no_grad only; the bases of the class as written; and whether its constructor leaves
    gradients switched off for good, `torch.set_grad_enabled(False)`, and no method turns them on again."""

    calls: list[tuple[str, str, bool]] = field(default_factory=list)
    defined: frozenset[str] = frozenset()
    handing_on: frozenset[str] = frozenset()
    covering: frozenset[str] = frozenset()
    bases: tuple[str, ...] = ()
    off: bool = False


def called_without_grad(
    modules: Modules,
    importer: Path,
    base: str,
    method: str,
    log: Dependencies,
    covered: frozenset[str] = frozenset(),
) -> bool:
    """Whether a base class, or one above it, calls a method of its subclasses, and only under no_grad: there,
    or where a class below hands the call on, `super().__call__(x)`.

    Args:
        base: the import path of the class as `importer` sees it.
        method: the name of the method that the subclass defines.
        log: gets the files that the answer depends on.
        covered: methods that classes below the base call with `super()` under no_grad only.
    """
    found: list[bool] = []
    pending = [(modules.resolve(importer, base, log), MOST_BASES, covered)]
    while pending:
        place, left, covered = pending.pop()
        outline = modules.outline(place.path, log) if isinstance(place, Place) and not place.rest else None
        if outline is None or not isinstance(place, Place) or not left:
            continue
        own = own_calls(outline.source(place.name))
        found += _quiet(own, method, covered)
        covered |= own.covering
        for above in own.bases:
            first, dot, rest = above.partition(".")
            if first in outline.definitions:
                pending.append((Place(place.path, first, rest), left - 1, covered))
            paths = [f"{path}{dot}{rest}" for path in outline.imports.get(first, ())]
            pending += [(modules.resolve(place.path, path, log), left - 1, covered) for path in paths]
    return bool(found) and all(found)


def chain_without_grad(chain: Iterable[OwnCalls], method: str) -> bool | None:
    """Whether the classes of a chain, each with what it extends behind it, call a method under no_grad only;
    None where none of them calls it. So is all that a class does whose constructor switched gradients off."""
    found: list[bool] = []
    covered: frozenset[str] = frozenset()
    for own in chain:
        if own.off:
            return True
        found += _quiet(own, method, covered)
        covered |= own.covering
    return all(found) if found else None


def _quiet(own: OwnCalls, method: str, covered: frozenset[str]) -> list[bool]:
    """Whether each call of a method in a class is under no_grad, or in a method that is called so."""
    return [quiet or caller in covered for caller, called, quiet in own.calls if called == method]


@lru_cache(maxsize=256)
def own_calls(source: str) -> OwnCalls:
    """The calls of its own methods in the source of one class, indented or not; none where it is no class."""
    found = OwnCalls()
    indented = source.startswith(" ")
    try:
        body = parsed(f"if True:\n{source}" if indented else source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    body = body[0].body if indented and isinstance(body[0], ast.If) else body
    if body and isinstance(body[0], ast.ClassDef):
        found.bases = tuple(ast.unparse(base) for base in body[0].bases)
        found.off = _leaves_off(body[0])
        handed_on: dict[str, bool] = {}
        found.defined = frozenset(m.name for m in body[0].body if isinstance(m, _FUNCTIONS))
        for member in body[0].body:
            for call in _calls(member):
                if isinstance(call.func, ast.Attribute) and _is_own(call.func):
                    found.calls.append((call.caller, call.func.attr, call.quiet))
                elif _last(call.func) == call.caller and _is_super(call.func):
                    handed_on[call.caller] = handed_on.get(call.caller, True) and call.quiet
        found.handing_on = frozenset(handed_on)
        found.covering = frozenset(name for name, quiet in handed_on.items() if quiet)
    return found


@dataclass(frozen=True, slots=True)
class Signature:
    """The names of the parameters of a method, `self` first, how many of them have no default, and whether it
    takes any others, `**kwargs`."""

    names: tuple[str, ...]
    required: int
    others: bool = False

    def fits(self, call: ast.Call) -> bool:
        """Whether a call on an object may be one of the method: by how much it gives, and the keywords."""
        starred = any(isinstance(arg, ast.Starred) for arg in call.args)
        if starred or any(not keyword.arg for keyword in call.keywords):
            return True
        given = len(call.args) + len(call.keywords) + 1
        named = all(keyword.arg in self.names for keyword in call.keywords)
        return given >= self.required and (self.others or (named and given <= len(self.names)))


def all_without_grad(
    modules: Modules, method: str, asked: Signature, is_test: Callable[[Path], bool], log: Dependencies
) -> bool:
    """Whether every call of a method by its name is under no_grad, and one is on an object beside `self`.

    A class that calls `self.method(...)` means its own family, for which `called_without_grad` answers. So is
    a call in a method that a base class of another file calls under no_grad only. Calls that do not fit the
    parameters are of other methods, of which there may be others with the same ones, and those of a brief
    method are told from one another by its name alone: there all must be alike. False where the project hands
    it on without calling it. What tests call is left out, as they are brief.
    """
    definitions, on_others = list[tuple[str, ...]](), False
    for path in modules.with_method(method, log):
        outline = modules.outline(path, log)
        if outline is None:
            return False
        if is_test(path):
            continue
        file = _words(outline.text)
        definitions += file.functions.get(method, ())
        calls = [c for c in file.called.get(method, ()) if isinstance(c.func, ast.Attribute)]
        named = sum(isinstance(n, ast.Attribute) for n in file.named.get(method, ()))
        # A method of this name that hands the call on, `self.core.evaluate(loader)`, is under what calls it.
        meant = [c for c in calls if asked.fits(c.node) and c.caller.rpartition(".")[2] != method]
        on_others = on_others or not all(_is_own(c.func) for c in meant)
        quiet = (_is_quiet(modules, path, call, log) for call in meant)
        if len(calls) < named or not all(quiet):
            return False
    alike = len(set(definitions)) == 1 or asked.required > _TELLING
    return (alike and (len(definitions) == 1 or len(asked.names) > 2)) and on_others


_TELLING = 3
"""Parameters that a call must give, `self` among them, so that few other methods of its name fit it."""


def _is_quiet(modules: Modules, path: Path, call: _Call, log: Dependencies) -> bool:
    """Whether a call of a file is under no_grad: there, in a context manager of the project that may switch
    gradients off, or in a method that is called so."""
    if call.quiet or any(_may_switch_off(modules, path, name, log) for name in call.contexts):
        return True
    return _is_in_quiet_method(modules, path, call, log)


def _may_switch_off(modules: Modules, path: Path, name: str, log: Dependencies) -> bool:
    """Whether a context manager, by its dotted name in a file, is a class or function of the project whose
    code, or that of a class that it extends, has a word that switches gradients off."""
    pending = [(path, name, MOST_BASES)]
    while pending:
        importer, named, left = pending.pop()
        outline = modules.outline(importer, log)
        first, dot, rest = named.partition(".")
        if outline is None or not left:
            continue
        if first in outline.definitions and not rest:
            if outline.vocabularies.get(first, frozenset()) & SWITCHES_OFF:
                return True
            pending += [(importer, base, left - 1) for base in own_calls(outline.source(first)).bases]
        for dotted in outline.imports.get(first, ()):
            place = modules.resolve(importer, f"{dotted}{dot}{rest}", log)
            if isinstance(place, Place) and not place.rest:
                pending.append((place.path, place.name, left - 1))
    return False


def _is_in_quiet_method(modules: Modules, path: Path, call: _Call, log: Dependencies) -> bool:
    """Whether a call stands in a method that base classes of other files call under no_grad only."""
    owner, _, method = call.caller.partition(".")
    outline = modules.outline(path, log) if method else None
    if outline is None:
        return False
    for base in own_calls(outline.source(owner)).bases:
        first, dot, rest = base.partition(".")
        paths = [f"{found}{dot}{rest}" for found in outline.imports.get(first, ())]
        if any(called_without_grad(modules, path, found, method, log) for found in paths):
            return True
    return False


def method_without_grad(
    modules: Modules, method: str, is_test: Callable[[Path], bool], log: Dependencies
) -> bool:
    """Whether all methods of a name in the project run what their object has under no_grad, and nowhere else:
    whichever of them an object out of view has, it records nothing. Those that subclasses write do not count.
    """
    found: list[bool] = []
    for path in modules.with_method(method, log):
        outline = modules.outline(path, log)
        if outline is None:
            return False
        found += () if is_test(path) else _methods_without_grad(outline.text).get(method, ())
    return bool(found) and all(found)


@lru_cache(maxsize=32)
def _methods_without_grad(text: str) -> dict[str, list[bool]]:
    """For each name, whether the methods of classes that have it run something under no_grad only."""
    found: dict[str, list[bool]] = {}
    owners = (node for node in ast.walk(parsed(text)) if isinstance(node, ast.ClassDef))
    for method in (member for owner in owners for member in owner.body):
        if not isinstance(method, _FUNCTIONS) or _is_abstract(method):
            continue
        given = {id(n.func) for n in ast.walk(method) if isinstance(n, ast.Call) and (n.args or n.keywords)}
        runs = [call.quiet for call in _calls(method) if id(call.func) in given and _is_of_self(call.func)]
        found.setdefault(method.name, []).append(bool(runs) and all(runs))
    return found


def _is_abstract(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether subclasses write a method: it says so, or has a text, `pass`, `...` or a `raise` alone."""
    if any(ast.unparse(d).endswith("abstractmethod") for d in method.decorator_list):
        return True
    idle = (ast.Pass, ast.Raise)
    return all(isinstance(n, idle) or _is_constant(n) for n in method.body)


def _is_constant(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _is_of_self(func: ast.expr) -> bool:
    """Whether an object calls a method of its own, or of what it has: `self.encoder.forward(x)`."""
    while isinstance(func, ast.Attribute):
        func = func.value
    return isinstance(func, ast.Name) and func.id == "self"


def family_without_grad(
    modules: Modules,
    home: Place,
    method: str,
    is_test: Callable[[Path], bool],
    log: Dependencies,
) -> bool:
    """Whether a class, and those of the project that extend it, call a method of it on `self` under no_grad
    only, and one of those that extend it does. A class that defines the method again speaks for its own one,
    unless that hands the call on with `super()`.
    """
    outline = modules.outline(home.path, log)
    if outline is None:
        return False
    found = _quiet(own_calls(outline.source(home.name)), method, frozenset())
    extended = False
    for own in _extending(modules, home, method, is_test, log):
        if method not in own.defined:
            calls = _quiet(own, method, frozenset())
        else:
            calls = [method in own.covering] if method in own.handing_on else []
        extended = extended or bool(calls)
        found += calls
    return extended and all(found)


def _extending(
    modules: Modules, home: Place, method: str, is_test: Callable[[Path], bool], log: Dependencies
) -> Iterator[OwnCalls]:
    """The classes at the top of the project's files that name a class as their base, and use a method."""
    for path in (home.path, *modules.importers(home.path, [[home.name], [method]], log)):
        outline = modules.outline(path, log)
        if outline is None or (path != home.path and is_test(path)):
            continue
        for name, words in outline.vocabularies.items():
            if method not in words:
                continue
            own = own_calls(outline.source(name))
            if any(_is_base(modules, path, outline, base, home, log) for base in own.bases):
                yield own


def _is_base(
    modules: Modules, path: Path, outline: Outline, base: str, home: Place, log: Dependencies
) -> bool:
    """Whether a base, as a file writes it, is a class of the project."""
    first, dot, rest = base.partition(".")
    if first in outline.definitions and not rest:
        return path == home.path and first == home.name
    places = (modules.resolve(path, f"{found}{dot}{rest}", log) for found in outline.imports.get(first, ()))
    return any(p == home for p in places)


def function_without_grad(
    modules: Modules,
    path: Path,
    function: str,
    is_test: Callable[[Path], bool],
    log: Dependencies,
    above: frozenset[tuple[Path, str]] = frozenset(),
) -> bool:
    """Whether every call of a function at the top of a file is under no_grad, there and where it is imported.

    So is a call in another such function, `above` which were asked before. False where nothing but tests
    calls it, and where it is handed on without being called or imported under another name. A method of this
    name, `trainer.evaluate()`, is another function.
    """
    called = False
    asked = above | {(path, function)}
    for other in (path, *modules.importers(path, [[function]], log)):
        outline = modules.outline(other, log)
        if outline is None:
            return False
        if other != path and is_test(other):
            continue
        file = _words(outline.text)

        def means(node: ast.Attribute | ast.Name, other: Path = other, file: _Words = file) -> bool:
            if isinstance(node, ast.Attribute):
                return any(_leads_to(modules, other, d, path, log) for d in _dotted_paths(node, file.imports))
            return True

        def is_quiet(call: _Call, other: Path = other) -> bool:
            if _is_quiet(modules, other, call, log):
                return True
            known = not call.caller or "." in call.caller or (other, call.caller) in asked
            if known or len(asked) == MOST_CALLS:
                return False
            return function_without_grad(modules, other, call.caller, is_test, log, asked)

        calls = [call for call in file.called.get(function, ()) if means(call.func)]
        if function in file.renamed or len(calls) < sum(map(means, file.named.get(function, ()))):
            return False
        if not all(map(is_quiet, calls)):
            return False
        called = called or bool(calls)
    return called


@dataclass(slots=True)
class _Words:
    """What a file names and calls, by the last word of each name: `engine.evaluate` by `evaluate`.

    `functions` are all functions that it defines, by name, with their parameters, `imports` the dotted paths
    of the names that its imports bind, those inside of functions too, `renamed` what these import under
    another name.
    """

    called: dict[str, list[_Call]] = field(default_factory=dict)
    named: dict[str, list[ast.Attribute | ast.Name]] = field(default_factory=dict)
    functions: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    imports: dict[str, list[str]] = field(default_factory=dict)
    renamed: set[str] = field(default_factory=set)


@lru_cache(maxsize=32)
def _words(text: str) -> _Words:
    """What a file names and calls: read once for all of its functions that are asked about in turn."""
    found, tree = _Words(), parsed(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)):
            found.named.setdefault(_last(node), []).append(node)
        elif isinstance(node, _FUNCTIONS):
            given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            found.functions.setdefault(node.name, []).append(tuple(arg.arg for arg in given))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, dotted in gate.bound(node):
                found.imports.setdefault(name, []).append(dotted)
            found.renamed.update(alias.name for alias in node.names if alias.asname)
    for call in _calls(tree):
        found.called.setdefault(_last(call.func), []).append(call)
    return found


def _last(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _dotted_paths(node: ast.Attribute, imports: dict[str, list[str]]) -> list[str]:
    """The import paths that `engine.evaluate` may stand for; none where nothing imports `engine`."""
    names, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    roots = imports.get(inner.id, []) if isinstance(inner, ast.Name) else []
    return [".".join([root, *reversed(names)]) for root in roots]


def _leads_to(modules: Modules, importer: Path, dotted: str, path: Path, log: Dependencies) -> bool:
    """Whether an import path may lead to a file: it does, or it gets lost in a module of the project."""
    place = modules.resolve(importer, dotted, log)
    if isinstance(place, Place):
        return place.path == path and not place.rest
    return place is None and modules.locate(importer, dotted, log) is not None


def _is_super(call: ast.expr) -> bool:
    """Whether a method of the class above is called: `super().forward(x)`."""
    inner = call.value if isinstance(call, ast.Attribute) else None
    above = inner.func if isinstance(inner, ast.Call) else None
    return isinstance(above, ast.Name) and above.id == "super"


def _is_own(call: ast.expr) -> bool:
    """Whether an object calls a method of its own."""
    return isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name) and call.value.id == "self"


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function or method by its name, and whether gradients are off there."""

    node: ast.Call
    func: ast.Attribute | ast.Name
    quiet: bool
    caller: str
    """The function at the top of the file that calls, or the method of such a class, "Trainer.fit"; "" for
    what the file itself or a class calls."""
    contexts: frozenset[str] = frozenset()
    """The dotted names of what is called around it, in the same function, to give a context manager."""


def _calls(tree: ast.AST) -> Iterator[_Call]:
    """Every call of a function or method below a node."""
    pending: list[tuple[ast.AST, bool, str, bool, frozenset[str]]] = [(tree, False, "", True, frozenset())]
    while pending:
        node, quiet, caller, top, contexts = pending.pop()
        if isinstance(node, (ast.With, ast.AsyncWith)):
            quiet = quiet or any(_switches_off(item.context_expr) for item in node.items)
            made = (item.context_expr for item in node.items)
            contexts |= {ast.unparse(call.func) for call in made if isinstance(call, ast.Call)}
        elif isinstance(node, _FUNCTIONS):
            contexts = frozenset()
            quiet = quiet or any(_switches_off(decorator) for decorator in node.decorator_list)
            caller = f"{caller}{node.name}" if top or caller.endswith(".") else caller
        elif isinstance(node, ast.ClassDef):
            quiet = quiet or _leaves_off(node)
            caller = f"{node.name}." if top else caller
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            # The end of one pass is the start of the next.
            quiet = quiet and not _switches_on(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Name)):
            yield _Call(node, node.func, quiet, caller, contexts)
        top = top and not isinstance(node, (*_FUNCTIONS, ast.ClassDef))
        for _, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                pending.append((value, quiet, caller, top, contexts))
            elif isinstance(value, list):
                modes = _modes(value, quiet)
                pending += [(c, q, caller, top, contexts) for c, q in modes if isinstance(c, ast.AST)]


def _modes(block: list[ast.AST], quiet: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Each statement of a block, and whether gradients are off there: as before the block, until a line
    switches them for good, `torch.set_grad_enabled(False)`."""
    for statement in block:
        yield statement, quiet
        if isinstance(statement, ast.Expr) and _last_called(statement.value) == "set_grad_enabled":
            quiet = _switches_off(statement.value)
        elif quiet and isinstance(statement, ast.stmt):
            quiet = not _switches_on(statement)


def _leaves_off(owner: ast.ClassDef) -> bool:
    """Whether the constructor of a class switches gradients off for good, and no method on again."""
    makers = [m for m in owner.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"]
    lines = [line.value for maker in makers for line in maker.body if isinstance(line, ast.Expr)]
    switched = any(_last_called(line) == "set_grad_enabled" and _switches_off(line) for line in lines)
    return switched and not _switches_on(owner)


def _switches_on(node: ast.AST) -> bool:
    """Whether a line below a node may switch gradients on for good, `torch.set_grad_enabled(training)`."""
    lines = (n.value for n in ast.walk(node) if isinstance(n, ast.Expr))
    return any(_last_called(line) == "set_grad_enabled" and not _switches_off(line) for line in lines)


def _last_called(node: ast.expr) -> str:
    """The last word of the name that an expression calls, "" where it is no call of one."""
    called = node.func if isinstance(node, ast.Call) else None
    return _last(called) if isinstance(called, (ast.Attribute, ast.Name)) else ""


def _switches_off(node: ast.expr) -> bool:
    """Whether an expression is `torch.no_grad()` and the like, or `torch.set_grad_enabled(False)`."""
    called = node.func if isinstance(node, ast.Call) else node
    name = ast.unparse(called).rpartition(".")[2]
    if name == "set_grad_enabled" and isinstance(node, ast.Call) and node.args:
        return isinstance(node.args[0], ast.Constant) and node.args[0].value is False
    return name in _ALWAYS_OFF
