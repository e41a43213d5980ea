"""Scopes, bindings and qualified names: what does this name refer to.

Resolution follows Python's scoping and is insensitive to order, as libcst's QualifiedNameProvider is
(the oracle in the tests): a name bound by two imports in one scope resolves to both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field

import libcst as cst

from memlint.records import dataclass
from memlint.syntax.bare import Bare
from memlint.syntax.tree import N, Preorder, children, dotted

# `{**part for part in parts}` is syntax of Python 3.15, which libcst reads since 1.9.
_COMPREHENSIONS: tuple[type[cst.BaseComp], ...] = (
    cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp,
    *filter(None, [getattr(cst, "StarredDictComp", None)]),
)  # fmt: skip
# Below these, a name is not looked up: a keyword, a parameter or a part of an import.
_UNREAD = frozenset({cst.ImportAlias, cst.AsName, cst.NameItem, cst.Param})
_BINDINGS = (
    cst.Assign, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr, cst.WithItem, cst.ExceptHandler,
    cst.ExceptStarHandler, cst.MatchAs, cst.MatchStar,
)  # fmt: skip


Unbound = Callable[[str, str, Collection[str]], str]
"""The import path of a name that nothing in the file binds: of the name, what follows it, and the modules of
`from x import *`; "" where nothing is known of it."""

Modules = Mapping[str, tuple[str, str]]
"""Names that mean a module whatever binds them: its import path, and the name that is bound beside it."""


@dataclass(eq=False, slots=True)
class NameScope:
    """The bindings of one module, class, function, lambda or comprehension.

    `imports` maps a bound name to the dotted paths that imports give it; `others` holds the names that
    anything else binds here; `stars` are the modules of `from x import *`.
    """

    node: cst.CSTNode
    parent: NameScope | None
    is_class: bool = False
    imports: dict[str, set[str]] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    stars: set[str] = field(default_factory=set)
    outer: dict[str, str] = field(default_factory=dict)

    def owner(self, name: str) -> NameScope | None:
        """The scope that a read of `name` here refers to; None for builtins and unbound names."""
        scope: NameScope | None = self
        if name in self.outer:
            scope = self._declared(name)
        first = True
        while scope is not None:
            if (first or not scope.is_class) and (name in scope.imports or name in scope.others):
                return scope
            first = False
            scope = scope.parent
        return None

    def _declared(self, name: str) -> NameScope | None:
        scope = self.parent
        if self.outer[name] == "nonlocal":
            return scope
        while scope is not None and scope.parent is not None:
            scope = scope.parent
        return scope


class Names:
    """All scopes of a module, and the index of every reference that is rooted at an import."""

    def __init__(
        self,
        module: cst.Module,
        unbound: Unbound | None = None,
        modules: Modules | None = None,
        bare: Bare | None = None,
    ) -> None:
        self.bare = bare
        self.unbound = unbound
        self.modules = modules or {}
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.scopes: dict[cst.CSTNode, NameScope] = {}
        self.module_scope = NameScope(module, None)
        self.calls: list[cst.Call] = []
        self._references: list[cst.Name | cst.Attribute] = []
        self._index: dict[str, list[cst.Name | cst.Attribute]] | None = None
        self._paths: dict[tuple[NameScope, str], frozenset[str]] = {}
        self._single: dict[tuple[NameScope, str], str] = {}
        self._preorder: Preorder | None = None
        self._roots: frozenset[str] | None = None
        self.module = module
        _Builder(self).visit(module, self.module_scope)

    @property
    def preorder(self) -> Preorder:
        """The nodes of the module in source order, made on first use."""
        if self._preorder is None:
            self._preorder = Preorder(self.module)
        return self._preorder

    def walk(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """A node of this module and everything below it, parents before children."""
        return self.preorder.walk(node)

    def every(self, kind: type[N], below: cst.CSTNode | None = None) -> list[N]:
        """The nodes of exactly one class in source order, of this module or of a part of it."""
        return self.preorder.every(kind, below)

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether a node belongs to this module."""
        return node in self.parents or node is self.module

    def scope_of(self, node: cst.CSTNode) -> NameScope:
        """The scope in which an expression or statement is evaluated."""
        return self.scopes.get(node, self.module_scope)

    def qualified(self, node: cst.CSTNode) -> frozenset[str]:
        """The dotted import paths that an attribute chain or name may stand for; empty when it is local."""
        path = dotted(node)
        if not path:
            return frozenset()
        scope = self.scopes.get(_leftmost(node), self.module_scope)
        known = self._paths.get((scope, path))
        if known is None:
            known = self._paths[scope, path] = self._stands_for(path, scope)
        return known

    def _stands_for(self, path: str, scope: NameScope) -> frozenset[str]:
        """The dotted import paths that a dotted name may stand for in a scope."""
        head, _, rest = path.partition(".")
        owner = scope.owner(head)
        if owner is None:
            assumed = self.unbound(head, rest, self.module_scope.stars) if self.unbound is not None else ""
            return frozenset({assumed} - {""})
        targets = owner.imports.get(head) or self._module_called(head, owner)
        return frozenset(_join(target, rest) for target in targets)

    def _module_called(self, name: str, scope: NameScope) -> Collection[str]:
        """The module that a name means which a scope binds by other than an import."""
        path, beside = self.modules.get(name, ("", ""))
        return [path] if beside in scope.others and beside not in scope.imports else []

    def one(self, node: cst.CSTNode) -> str:
        """The dotted import path of a node when there is exactly one and nothing else binds the name."""
        path = dotted(node)
        if not path:
            return ""
        head = _leftmost(node)
        scope = self.scopes.get(head, self.module_scope)
        known = self._single.get((scope, path))
        if known is None:
            found = self.qualified(node)
            owner = scope.owner(dotted(head))
            bound = owner is not None and dotted(head) in owner.others and not self.always(head)
            known = self._single[scope, path] = "" if bound or len(found) != 1 else next(iter(found))
        return known

    def always(self, name: cst.CSTNode) -> frozenset[str]:
        """The import paths of a name that means a module whatever else binds it; empty for other names."""
        beside = self.modules.get(dotted(name), ("", ""))[1]
        owner = self.scopes.get(name, self.module_scope).owner(dotted(name)) if beside else None
        if owner is None or (dotted(name) in owner.imports and dotted(name) != beside):
            return frozenset()
        return self.qualified(name)

    def references(self, name: str) -> list[cst.Name | cst.Attribute]:
        """Every outermost chain that resolves to `name` or, for a name ending in `.*`, below it."""
        if self._index is None:
            self._index = {}
            for node in self._references:
                for path in self.qualified(node):
                    self._index.setdefault(path, []).append(node)
        if not name.endswith(".*"):
            return list(self._index.get(name, ()))
        prefix = name[:-1]
        return [n for path, nodes in self._index.items() if path.startswith(prefix) for n in nodes]

    def unbound_references(self, name: str) -> list[cst.Name | cst.Attribute]:
        """Every outermost chain whose leftmost name is `name`, where nothing in the file binds that."""
        found = [node for node in self._references if dotted(node).partition(".")[0] == name]
        scopes = ((node, self.scopes.get(_leftmost(node), self.module_scope)) for node in found)
        return [node for node, scope in scopes if scope.owner(name) is None]

    def imported_roots(self) -> frozenset[str]:
        """The top-level packages that any import of the file names."""
        if self._roots is None:
            called = (p for s in self._all_scopes() for n in self.modules for p in self._module_called(n, s))
            named = {path.partition(".")[0] for path in (*self.imported_paths(), *called)}
            self._roots = frozenset(named | self._assumed_roots())
        return self._roots

    def imported_paths(self) -> set[str]:
        """The dotted paths that any import of the file binds, and modules that it imports `*` from."""
        paths: set[str] = set()
        for scope in self._all_scopes():
            paths.update(*scope.imports.values(), scope.stars)
        return paths

    def _all_scopes(self) -> Collection[NameScope]:
        return {id(s): s for s in (self.module_scope, *self.scopes.values())}.values()

    def _assumed_roots(self) -> set[str]:
        """The packages that unbound names stand for."""
        if self.unbound is None:
            return set()
        heads = {name.value: name for node in self._references if type(name := _leftmost(node)) is cst.Name}
        known = (n for n in heads.values() if self.unbound(n.value, "", self.module_scope.stars))
        return {path.partition(".")[0] for node in known for path in self._unbound_paths(node)}

    def _unbound_paths(self, node: cst.Name) -> frozenset[str]:
        free = self.scopes.get(node, self.module_scope).owner(node.value) is None
        return self.qualified(node) if free else frozenset()


@dataclass(slots=True)
class _Builder:
    names: Names

    def visit(self, node: cst.CSTNode, scope: NameScope) -> None:
        names = self.names
        names.scopes[node] = scope
        kind = type(node)
        if kind is cst.Name:
            return
        if kind is cst.Attribute:
            self._attribute(node, scope)  # type: ignore[arg-type]
            return
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(self, node, scope)
            return
        self.descend(node, scope)

    def descend(self, node: cst.CSTNode, scope: NameScope) -> None:
        for child in children(node):
            self.names.parents[child] = node
            if type(child) is cst.Name and type(node) not in _UNREAD:
                self.names._references.append(child)
            self.visit(child, scope)

    def child(self, parent: cst.CSTNode, node: cst.CSTNode | None, scope: NameScope) -> None:
        if node is not None:
            self.names.parents[node] = parent
            if type(node) is cst.Name:
                self.names._references.append(node)
            self.visit(node, scope)

    def _attribute(self, node: cst.Attribute, scope: NameScope) -> None:
        self.names._references.append(node)
        current: cst.CSTNode = node
        while type(current) is cst.Attribute:
            self.names.scopes[current] = scope
            self.names.parents[current.value] = current
            self.names.parents[current.attr] = current
            self.names.scopes[current.attr] = scope
            current = current.value
        self.visit(current, scope)

    def call(self, node: cst.CSTNode, scope: NameScope) -> None:
        assert isinstance(node, cst.Call)
        self.names.calls.append(node)
        self.child(node, node.func, scope)
        for arg in node.args:
            self.names.parents[arg] = node
            self.names.scopes[arg] = scope
            self.child(arg, arg.value, scope)
            if arg.keyword is not None:
                self.names.parents[arg.keyword] = arg

    def imports(self, node: cst.CSTNode, scope: NameScope) -> None:
        assert isinstance(node, (cst.Import, cst.ImportFrom))
        module = ""
        if isinstance(node, cst.ImportFrom):
            module = "." * len(node.relative) + (dotted(node.module) if node.module else "")
        self._lay(node)
        if isinstance(node.names, cst.ImportStar):
            scope.stars.add(module)
            return
        for alias in node.names:
            self.names.scopes[alias] = scope
            path = dotted(alias.name)
            full = path if not module else module + path if module.endswith(".") else f"{module}.{path}"
            bound = alias.evaluated_alias
            if bound is None:
                # `import a.b` binds `a`; the path keeps its full length to tell it from `import a`.
                bound = path.partition(".")[0]
                full = full if module else bound
            scope.imports.setdefault(bound, set()).add(full)

    def _lay(self, node: cst.CSTNode) -> None:
        """Note the parents below a node that holds no expression."""
        for child in children(node):
            self.names.parents[child] = node
            self._lay(child)

    def function(self, node: cst.CSTNode, scope: NameScope) -> None:
        assert isinstance(node, (cst.FunctionDef, cst.Lambda))
        inner = NameScope(node, scope)
        if isinstance(node, cst.FunctionDef):
            scope.others.add(node.name.value)
            self.names.parents[node.name] = node
            for decorator in node.decorators:
                self.names.parents[decorator] = node
                self.names.scopes[decorator] = scope
                self.child(decorator, decorator.decorator, scope)
            self.child(node, node.returns, scope)
        self._parameters(node.params, inner, scope)
        self.names.parents[node.params] = node
        self.child(node, node.body, inner)

    def _parameters(self, params: cst.Parameters, inner: NameScope, outer: NameScope) -> None:
        listed: list[cst.Param] = [*params.posonly_params, *params.params, *params.kwonly_params]
        listed += [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]
        for param in listed:
            self.names.parents[param] = params
            self.names.parents[param.name] = param
            self.names.scopes[param] = inner
            inner.others.add(param.name.value)
            self.child(param, param.default, outer)
            self.child(param, param.annotation, outer)

    def klass(self, node: cst.CSTNode, scope: NameScope) -> None:
        assert isinstance(node, cst.ClassDef)
        scope.others.add(node.name.value)
        self.names.parents[node.name] = node
        inner = NameScope(node, scope, is_class=True)
        parts = [(d, d.decorator) for d in node.decorators] + [
            (a, a.value) for a in (*node.bases, *node.keywords)
        ]
        for part, inside in parts:
            self.names.parents[part] = node
            self.names.scopes[part] = scope
            self.child(part, inside, scope)
            if isinstance(part, cst.Arg) and part.keyword is not None:
                self.names.parents[part.keyword] = part
        self.child(node, node.body, inner)

    def comprehension(self, node: cst.CSTNode, scope: NameScope) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        inner = NameScope(node, scope)
        clause: cst.CompFor | None = node.for_in
        owner: cst.CSTNode = node
        iterable_scope = scope
        while clause is not None:
            self.names.parents[clause] = owner
            self.names.scopes[clause] = inner
            self._bind(clause.target, inner)
            self.child(clause, clause.target, inner)
            self.child(clause, clause.iter, iterable_scope)
            for condition in clause.ifs:
                self.names.parents[condition] = clause
                self.child(condition, condition.test, inner)
            owner, clause, iterable_scope = clause, clause.inner_for_in, inner
        for name in ("elt", "key", "value"):
            self.child(node, getattr(node, name, None), inner)

    def binding(self, node: cst.CSTNode, scope: NameScope) -> None:
        for target in _targets(node):
            holder = scope
            if isinstance(node, cst.NamedExpr):
                while isinstance(holder.node, _COMPREHENSIONS) and holder.parent is not None:
                    holder = holder.parent
            self._bind(target, holder)
        self.descend(node, scope)

    def declaration(self, node: cst.CSTNode, scope: NameScope) -> None:
        assert isinstance(node, (cst.Global, cst.Nonlocal))
        self._lay(node)
        how = "global" if isinstance(node, cst.Global) else "nonlocal"
        for item in node.names:
            scope.outer[item.name.value] = how

    def _bind(self, target: cst.CSTNode, scope: NameScope) -> None:
        if isinstance(target, cst.Name):
            holder = scope._declared(target.value) if target.value in scope.outer else scope
            (holder or scope).others.add(target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self._bind(element.value, scope)
        elif isinstance(target, cst.StarredElement):
            self._bind(target.value, scope)


def _targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Assign):
        yield from (t.target for t in node.targets)
    elif isinstance(node, (cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)):
        yield node.target
    elif isinstance(node, (cst.WithItem, cst.ExceptHandler, cst.ExceptStarHandler)):
        alias = node.asname if isinstance(node, cst.WithItem) else node.name
        if alias is not None:
            yield alias.name
    elif isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
        yield node.name


def _leftmost(node: cst.CSTNode) -> cst.CSTNode:
    while type(node) is cst.Attribute:
        node = node.value
    return node


def _join(target: str, rest: str) -> str:
    return f"{target}.{rest}" if rest else target


_HANDLERS: dict[type[cst.CSTNode], Callable[[_Builder, cst.CSTNode, NameScope], None]] = {
    cst.Call: _Builder.call,
    cst.Import: _Builder.imports,
    cst.ImportFrom: _Builder.imports,
    cst.FunctionDef: _Builder.function,
    cst.Lambda: _Builder.function,
    cst.ClassDef: _Builder.klass,
    cst.Global: _Builder.declaration,
    cst.Nonlocal: _Builder.declaration,
    **dict.fromkeys(_COMPREHENSIONS, _Builder.comprehension),
    **dict.fromkeys(_BINDINGS, _Builder.binding),
}  # fmt: skip
