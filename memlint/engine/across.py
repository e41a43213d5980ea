"""Findings that concern more than one file: each is reported once, in the file where it can be seen.

A run follows calls into other modules of the project, so a detector may point at their code. What the other
file's own check points at as well is left to it; the rest is reported at the call that leads there. And what
looks wrong in a function that only other files call is taken back when every such call shows it harmless.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

import libcst as cst

from memlint import catalogue
from memlint.analysis.caching import cached
from memlint.analysis.imported import Project
from memlint.analysis.interpret.cross_module import CrossModule
from memlint.analysis.match import AddImport, Change, Decorate, Match, Replace, Wrap
from memlint.analysis.model import ScriptModel
from memlint.analysis.roles import comes_by_method
from memlint.analysis.values import Frame
from memlint.catalogue import Rule, Variant
from memlint.finding import Severity, Span
from memlint.project import gate, tests
from memlint.project.base_calls import (
    Signature,
    all_without_grad,
    family_without_grad,
    function_without_grad,
    method_without_grad,
)
from memlint.project.modules import Place
from memlint.source.parsing import parsed as parse_text
from memlint.syntax.arguments import parameters
from memlint.syntax.spans import layout

_ORDERS = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)

_FUNCTIONS: frozenset[type[cst.CSTNode]] = frozenset({cst.FunctionDef, cst.Lambda})

MOST_CALLERS = 4
"""How many files that may call a function are asked about it."""


def detect(rule: Rule, model: ScriptModel) -> list[Match]:
    """Everything that a rule's detector points at, in this file and in those that it calls."""
    known = _detected(model)
    if rule.code not in known:
        detector = importlib.import_module(f"memlint.detect.{rule.detector}")
        known[rule.code] = list(detector.detect(model, rule))
    return known[rule.code]


@cached
def _detected(model: ScriptModel) -> dict[str, list[Match]]:
    """The matches of the rules that were asked about a file so far, by code."""
    return {}


def settled(rule: Rule, model: ScriptModel, wants: Callable[[Rule, Variant], bool]) -> Iterator[Match]:
    """The matches of a rule that are to be reported in this model's file, those of wanted variants only.

    A call that leads to several in another file is reported once, by the worst of them with all their places.
    """
    found = [m for m in detect(rule, model) if wants(rule, rule.variants[m.variant])]
    if model.cross_module is None:
        yield from found
        return
    calls: dict[cst.CSTNode, Match] = {}
    for match in found:
        if model.owns(match.node):
            if not _is_refuted(rule, match, model):
                yield _kept_here(match, model)
        elif (home := _brought_home(rule, match, model)) is not None:
            same = [*filter(None, [calls.get(home.node)]), home]
            worst, *others = sorted(same, key=partial(_severity, rule))
            notes = (note for other in others for note in other.notes if note not in worst.notes)
            calls[home.node] = replace(worst, notes=(*worst.notes, *notes))
    yield from calls.values()


def _severity(rule: Rule, match: Match) -> int:
    """The place of a match's severity, the worst first."""
    return list(Severity).index(rule.variants[match.variant].severity)


def _kept_here(match: Match, model: ScriptModel) -> Match:
    """A match that changes no other file, and says in a note what it would show there."""
    plans = tuple(p for p in match.plans if all(model.owns(n) for c in p.changes for n in _nodes(c)))
    labels = tuple(label for label in match.labels if model.owns(label.node))
    if len(plans) == len(match.plans) and len(labels) == len(match.labels):
        return match
    elsewhere = [label for label in match.labels if not model.owns(label.node)]
    places = ((label.text, _place(label.node, model)) for label in elsewhere)
    notes = (f"{text}: {_written(place, model)}" for text, place in places if place is not None)
    return replace(match, plans=plans, labels=labels, notes=(*match.notes, *notes))


def _nodes(change: Change) -> Sequence[cst.CSTNode]:
    if isinstance(change, AddImport):
        return ()
    if isinstance(change, Wrap):
        return change.statements
    if isinstance(change, Replace):
        return (change.node,)
    return (change.function,) if isinstance(change, Decorate) else (change.statement,)


# --- code of other files ----------------------------------------------------------------------------


def _brought_home(rule: Rule, match: Match, model: ScriptModel) -> Match | None:
    """A match in another file as one at the call that leads there; None when that file reports it itself."""
    assert model.cross_module is not None
    function, place = _function(match.node, model), _place(match.node, model)
    if function is None or place is None:
        return None
    frames = model.machine.frames_of(function) if match.frame is None else [match.frame]
    sure = [f for f in frames if not _is_optional(match.node, f, model)]
    calls = [call for f in sure if (call := model.home_call(f)) is not None]
    if not calls and match.giver is not None and model.owns(match.giver):
        calls = [match.giver]
    other = _model(model.cross_module, place[0], model.target_torch) if calls else None
    if other is None or any(place in _reported(r, other, model) for r in (rule, *_more_severe(rule))):
        return None
    called = function.name.value if isinstance(function, cst.FunctionDef) else "a lambda"
    note = f"it happens inside `{called}`, {_written(place, model)}"
    causes = match.causes or ((match.node,),)
    return Match(calls[0], match.values, match.variant, notes=(*match.notes, note), causes=causes)


def _more_severe(rule: Rule) -> list[Rule]:
    """The rules in whose favour a rule is silent on a statement."""
    return [found for code in sorted(rule.yields_to) for found in catalogue.find(code)]


def _is_optional(node: cst.CSTNode, frame: Frame, model: ScriptModel) -> bool:
    """Whether what a function is given decides if a place in it is reached, or one on the way to it.

    The run goes both ways where it cannot tell; the caller of another file's function often can.
    """
    on_the_way: Frame | None = frame
    while on_the_way is not None and on_the_way.cross_module:
        if _depends_on_arguments(node, on_the_way, model):
            return True
        maker = on_the_way.lexical
        if maker is not None and maker.call is not None and _is_optional(maker.call, maker, model):
            return True
        if on_the_way.call is None or model.owns(on_the_way.call):
            return False
        node, on_the_way = on_the_way.call, on_the_way.caller
    return False


def _depends_on_arguments(node: cst.CSTNode, frame: Frame, model: ScriptModel) -> bool:
    """Whether a condition around a node asks for a parameter of a function around it, other than how large
    it is: that changes from call to call. What a call states by a literal, the run has taken into account.
    """
    tests, parameters = list[cst.BaseExpression](), set[str]()
    inside = True
    for above in model.ancestors(node):
        if isinstance(above, (cst.If, cst.IfExp)) and inside:
            tests.append(above.test)
        elif isinstance(above, (cst.FunctionDef, cst.Lambda)):
            inside = False
            parameters |= {p.name.value for p in model.walk(above.params) if isinstance(p, cst.Param)}
    parameters -= _stated(frame)
    asked = [nodes for nodes in map(model.walk, tests) if not any(map(_is_ordering, nodes))]
    return any(isinstance(n, cst.Name) and n.value in parameters for nodes in asked for n in nodes)


def _stated(frame: Frame) -> set[str]:
    """The parameters of a frame's function for which its call, or a default, states a literal."""
    if not isinstance(frame.node, cst.FunctionDef) or not isinstance(frame.call, cst.Call):
        return set()
    params = [*frame.node.params.params, *frame.node.params.kwonly_params]
    if any(arg.star for arg in frame.call.args):
        return set()
    names = [p.name.value for p in params][1 if frame.self_value is not None else 0 :]
    given: dict[str, cst.BaseExpression] = {p.name.value: p.default for p in params if p.default is not None}
    given |= dict(zip(names, (a.value for a in frame.call.args if a.keyword is None), strict=False))
    given |= {a.keyword.value: a.value for a in frame.call.args if a.keyword is not None}
    return {name for name, value in given.items() if _is_literal(value)}


def _is_literal(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name):
        return node.value in ("True", "False", "None")
    return isinstance(node, (cst.SimpleString, cst.Integer, cst.Float))


def _is_ordering(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, _ORDERS)


def _function(node: cst.CSTNode, model: ScriptModel) -> cst.FunctionDef | cst.Lambda | None:
    return next((n for n in model.ancestors(node) if isinstance(n, (cst.FunctionDef, cst.Lambda))), None)


def _reported(rule: Rule, other: ScriptModel, user: ScriptModel) -> set[tuple[Path, int] | None]:
    """Where the check of another file points at by a rule; `user` is whose findings that settles."""
    return _places(rule, other, user) if _is_due(rule, other) else set()


def _places(rule: Rule, other: ScriptModel, user: ScriptModel) -> set[tuple[Path, int] | None]:
    """Where a rule's detector points at in the run of another file, also where its check never asks the
    rule."""
    known = _known_places(other)
    if rule.code not in known:
        known[rule.code] = {_place(match.node, other) for match in detect(rule, other)}
    user.dependencies.update(other.dependencies)
    return known[rule.code]


@cached
def _known_places(model: ScriptModel) -> dict[str, set[tuple[Path, int] | None]]:
    """What `_places` has found for a file so far, by the code of the rule."""
    return {}


def _is_due(rule: Rule, model: ScriptModel) -> bool:
    """Whether the check of a file asks this rule at all."""
    others = model.cross_module
    outline = others.project.modules.outline(others.path, others.dependencies) if others is not None else None
    words = outline.words | model.words_around if outline is not None else None
    if outline is not None and words is not None and not gate.speaks_of_training(outline.text, words):
        return False
    return gate.passes(rule.gate, words) and gate.may_use(rule.frameworks, words)


def _place(node: cst.CSTNode, model: ScriptModel) -> tuple[Path, int] | None:
    """The file and line of a node, of this model's file or of one that its run came to."""
    assert model.cross_module is not None
    if model.owns(node):
        return model.cross_module.path, _span(node, model.module, model).line
    unit = model.cross_module.units.get(model.root_of(node))
    return (unit.path, unit.line + _span(node, unit.module, model).line) if unit is not None else None


def _written(place: tuple[Path, int], model: ScriptModel) -> str:
    """`FILE:LINE`, the file as seen from the folder of the model's own."""
    assert model.cross_module is not None
    here, (path, line) = model.cross_module.path.parent, place
    return f"{path.relative_to(here).as_posix() if here in path.parents else path.name}:{line}"


def _span(node: cst.CSTNode, module: cst.Module, model: ScriptModel) -> Span:
    """Where a node stands in a module, of the model's file or of one that its run came to.

    The code is generated once for all functions of the module, and for all matches that are known by then.
    """
    known = _known_spans(model)
    if node not in known:
        matched = (match.node for matches in _detected(model).values() for match in matches)
        found = layout(module, [node, *matched], _FUNCTIONS)
        known |= found.spans(found.extents)
    return known[node]


@cached
def _known_spans(model: ScriptModel) -> dict[cst.CSTNode, Span]:
    """What `_span` has found for a file so far."""
    return {}


def place_of(node: cst.CSTNode, model: ScriptModel) -> str:
    """Where a node of another file that the run came to is, as "path:line:column"; "" where it is in none."""
    unit = model.cross_module.units.get(model.root_of(node)) if model.cross_module is not None else None
    if unit is None:
        return ""
    span = _span(node, unit.module, model)
    return f"{os.path.abspath(unit.path)}:{unit.line + span.line}:{span.column}"


# --- callers in other files ---------------------------------------------------------------------------


def _is_refuted(rule: Rule, match: Match, model: ScriptModel) -> bool:
    """Whether the files that call what leads to a match all show that there it is harmless."""
    function = _function(match.node, model) if rule.callers_decide else None
    if rule.callers_decide and _runs_without_grad(model, match.node):
        return True
    if function is None:
        return False
    # The run enters by these functions, with arguments of which nothing is known.
    frames = model.machine.frames_of(function)
    entries = {next((f.node for f in frame.chain() if f.entry), None) for frame in frames} or {function}
    for entry in entries:
        callers = _callers(entry, model) if isinstance(entry, (cst.FunctionDef, cst.Lambda)) else []
        # Of a file without a word of torch, such as one that calls `main()`, no events are known.
        callers = [other for other in callers if other.concerns_torch]
        if any(_place(match.node, model) in _places(rule, other, model) for other in callers):
            return False
        # A run that had no time to come to the function of the match shows nothing of it.
        came = entry is function or any(_comes_to(other, function, model) for other in callers)
        if not (callers and came) and not _is_always_without_grad(model, entry):
            return False
    return True


@cached
def _runs_without_grad(model: ScriptModel, node: cst.CSTNode) -> bool:
    """Whether a method of an object out of view was taken for a forward pass, and all methods of its name in
    the project run under no_grad: `model.module.encode_features(x)`."""
    assert model.cross_module is not None
    here = model.cross_module
    func = node.func if isinstance(node, cst.Call) else None
    if not isinstance(func, cst.Attribute):
        return False
    if not any(f.node is node and comes_by_method(f) for f in model.trace.passes()):
        return False
    is_test = partial(_is_test, here)
    return method_without_grad(here.project.modules, func.attr.value, is_test, here.dependencies)


def _comes_to(other: ScriptModel, function: cst.CSTNode, model: ScriptModel) -> bool:
    """Whether the run of another file has called a function of this one."""
    assert model.cross_module is not None
    return _place(function, model) in _visited(other, model.cross_module)


@cached
def _is_always_without_grad(model: ScriptModel, function: cst.CSTNode | None) -> bool:
    """Whether a function of this file is called under no_grad only: by its name where the run of other files
    does not come to it, and methods on objects that are not known there."""
    assert model.cross_module is not None
    here = model.cross_module
    if not isinstance(function, cst.FunctionDef) or not model.owns(function):
        return False
    modules, name, log = here.project.modules, function.name.value, here.dependencies
    owner = model.class_of(function)
    if owner is not None:
        home, is_test = Place(here.path, owner.name.value, ""), partial(_is_test, here)
        asked = _signature(function)
        return all_without_grad(modules, name, asked, is_test, log) or family_without_grad(
            modules, home, name, is_test, log
        )
    if model.function_of(function) is not None:
        return False
    return function_without_grad(modules, here.path, name, lambda path: _is_test(here, path), log)


def _signature(function: cst.FunctionDef) -> Signature:
    """What calls of a method may give."""
    names = tuple(parameters(function))
    plain = [*function.params.posonly_params, *function.params.params, *function.params.kwonly_params]
    required = sum(param.default is None for param in plain)
    return Signature(names, required, others=len(names) > len(plain))


def _callers(function: cst.FunctionDef | cst.Lambda, model: ScriptModel) -> list[ScriptModel]:
    """The models of other files whose run has called a function of this one."""
    assert model.cross_module is not None
    known = _known_callers(model)
    if function not in known:
        here, owner = model.cross_module, model.class_of(function)
        words = [n.name.value for n in (function, owner) if isinstance(n, (cst.FunctionDef, cst.ClassDef))]
        found = here.project.modules.importers(here.path, [words], here.dependencies)
        places = islice((place for place in found if not _is_test(here, place)), MOST_CALLERS)
        others = [_model(here, place, model.target_torch) for place in places]
        line = _place(function, model) if others else None
        known[function] = [m for m in others if m is not None and line in _visited(m, here)]
    return known[function]


def _is_test(user: CrossModule, path: Path) -> bool:
    """Whether a file of the user's project is a test: its calls are brief, and say nothing of all others."""
    outline = user.project.modules.outline(path, user.dependencies)
    if outline is None:
        return False
    root = user.project.modules.root
    inside = path.relative_to(root) if root in path.parents else path
    return _is_test_text(inside.as_posix(), outline.text)


@lru_cache(maxsize=256)
def _is_test_text(path: str, text: str) -> bool:
    """Whether a text is a test, asked once for all functions that it may call."""
    return tests.may_be_test(path, text) and tests.is_test(path, parse_text(text))


@cached
def _known_callers(model: ScriptModel) -> dict[cst.CSTNode, list[ScriptModel]]:
    """What `_callers` has found for the functions of a file so far."""
    return {}


def _visited(other: ScriptModel, user: CrossModule) -> set[tuple[Path, int] | None]:
    """The places of the functions of the user's file that the run of another file has called."""
    assert other.cross_module is not None
    visited = other.machine.visited
    trees = [tree for tree, unit in other.cross_module.units.items() if unit.path == user.path]
    called = [n for tree in trees for n in other.walk(tree) if id(n) in visited]
    user.dependencies.update(other.dependencies)
    return {_place(node, other) for node in called}


def _model(user: CrossModule, path: Path, version: tuple[int, ...] | None) -> ScriptModel | None:
    """The model of another file of the user's project; None when it cannot be parsed."""
    project = user.project
    outline = project.modules.outline(path, user.dependencies)
    try:
        return parsed(project, path, outline.text, version) if outline is not None else None
    except (cst.ParserSyntaxError, RecursionError):
        return None


@lru_cache(maxsize=4)
def parsed(
    project: Project, path: Path, text: str, version: tuple[int, ...] | None, test_functions: bool = False
) -> ScriptModel:
    """The model of a file of a project, kept for the files that are looked at next.

    Raises:
        libcst.ParserSyntaxError: the text is not Python.
    """
    model = ScriptModel.parse(text, str(path), version, project, test_functions)
    project.keep(path, text, model.module, model.names)
    return model
