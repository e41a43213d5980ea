"""One source text in, its findings out: gate, parse, model, detectors, suppression, order."""

from __future__ import annotations

import ast
import gc
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memlint import addresses, packs
from memlint.catalogue import META, Rule
from memlint.engine import one_cause, suppress, versions
from memlint.engine.checks import Checks
from memlint.engine.fingerprints import numbered
from memlint.finding import LED_TO_BY, FileReport, Finding, Fix, Note, Severity, Span
from memlint.project import gate, tests
from memlint.project.dependencies import Dependencies
from memlint.project.modules import Modules
from memlint.project.outline import Outline
from memlint.records import dataclass
from memlint.source.parsing import parsed
from memlint.source.text import line_starts

if TYPE_CHECKING:
    import libcst as cst

    from memlint.analysis.imported import Project
    from memlint.analysis.match import Match, Plan
    from memlint.analysis.model import ScriptModel
    from memlint.edit.lower import Refused

START = Span(1, 1, 1, 1)
MOST_BRACKETS = 200
LONGEST_LINE = 5000

LONG = 200_000
"""Characters of a text from which on its tree is not held longer than needed: it takes 300 bytes for each."""

MOST_UNCOLLECTED = 2_000_000
"""New objects, less those that were freed, from which on garbage is looked for: some 200 MB."""


@dataclass(slots=True)
class Script:
    """One text under analysis; `parses` says whether this Python can parse it.

    `held` is its tree, of a long text only until the model is made. `modules` is what imports are looked up
    in; `words` the vocabulary of the text and of the modules of the project that it imports, None when
    unknown. `log` takes what the findings depend on in other files.
    """

    text: str
    path: str
    parses: bool
    held: ast.Module | None
    modules: Modules | None
    words: frozenset[str] | None
    log: Dependencies

    @property
    def tree(self) -> ast.Module | None:
        """The tree of Python's parser, made again where it was let go; None when there is none."""
        return self.held or (parsed(self.text) if self.parses else None)

    def let_go(self) -> None:
        """Spare the memory of a large tree: it is asked for again only by findings and comments."""
        if len(self.text) > LONG:
            self.held = None


@dataclass(slots=True)
class Outcome:
    """What the analysis has brought so far: findings, codes of crashed rules, tracebacks."""

    findings: list[Finding]
    crashed: list[str]
    failed: str = ""


def check(text: str, path: str, checks: Checks, log: Dependencies | None = None) -> FileReport:
    """The findings of one file, sorted, suppressed ones left out.

    A crash in a detector becomes the finding MEM004, and the report's `failed` holds the traceback;
    the other rules go on. What the findings depend on in other files is added to `log`.
    """
    modules = modules_below(checks.root) if checks.root is not None else None
    log = Dependencies() if log is None else log
    with without_collection():
        tree, error = _parse(text)
        outline = _outline(text, tree, path, modules) if tree is not None else None
        words = outline.words if outline is not None else None
        trains = words is not None and gate.may_train("\n".join(words))
        script = Script(text, path, tree is not None, tree, None, words, log)
        del tree
        if modules is None or outline is None or not (trains or outline.leads):
            return _check(script, error, checks)
        place = Path(path).absolute()
        with modules.retained(place, outline):
            script.modules, script.words = modules, outline.words | modules.around(place, log)
            return _check(script, error, checks)


def _outline(text: str, tree: ast.Module, path: str, modules: Modules | None) -> Outline:
    """The outline of a text, the one that other files have asked for where there is one."""
    known = modules.known(Path(path).absolute()) if modules is not None else None
    return known if known is not None and known.text == text else Outline.of(text, tree)


@contextmanager
def without_collection(*, spare: bool = False) -> Iterator[None]:
    """Hold the cyclic garbage collector back: there are many objects, and hardly any cycles among them.

    What it would free is freed at the end when there is much of it. With `spare` all is put aside then: most
    processes end soon, and nothing has to look for cycles before; the next block looks there again.
    """
    active = gc.isenabled()
    gc.disable()
    if spare:
        gc.unfreeze()
    try:
        yield
    finally:
        if spare:
            gc.freeze()
        elif gc.get_count()[0] > MOST_UNCOLLECTED:
            gc.collect()
        if active:
            gc.enable()


def _check(script: Script, error: Exception | None, checks: Checks) -> FileReport:
    text = script.text
    outcome = Outcome([], [])
    known = packs.rules(checks.packs)
    asked, ran_whole = _in_force(replace(checks, identity="", root=None))
    due = _due(asked, script)
    if error is not None and not isinstance(error, SyntaxError):
        _record_crash(script, "the parser", error, outcome)
    elif error is not None or due:
        _analyse(script, checks, due, error, outcome)
    wanted = script.held or outcome.findings or suppress.may_stand_in(text, known)
    tree = script.tree if wanted else None
    comments = suppress.collect(text, tree, known)
    kept, used = suppress.silence(_most_severe(outcome.findings, checks), comments)
    kept = suppress.explained(kept, text)
    if script.parses:
        # Of a rule that might say more if it were asked for, no suppression can be called unused.
        ran = ran_whole.difference(outcome.crashed)
        kept += [_meta(script, c) for c in suppress.complaints(comments, used, ran, text)]
    findings = numbered([f for f in kept if _is_wanted(f, checks)], text, tree, checks.identity)
    told = findings if checks.check_tests else tests.told(findings, checks.identity, tree)
    shown = tuple(one_cause.joined(told))
    left_out = len(one_cause.joined(findings)) - len(shown) if told is not findings else 0
    return FileReport(script.path, shown, "", outcome.failed, text if shown else None, left_out=left_out)


@lru_cache(maxsize=16)
def _in_force(checks: Checks) -> tuple[tuple[Rule, ...], frozenset[str]]:
    """The rules of which something is wanted, and the codes of those of which everything is: the same for
    all files of a run."""
    known = packs.rules(checks.packs)
    detecting = [rule for rule in known if rule.code in checks.codes and rule.detector != META]
    detecting = [rule for rule in detecting if versions.concern(rule, checks)]
    asked = (rule for rule in detecting if any(checks.wants(rule, v) for v in rule.variants.values()))
    return tuple(asked), frozenset(rule.code for rule in detecting if checks.wants_all(rule))


def _due(rules: Sequence[Rule], script: Script) -> list[Rule]:
    """The rules whose gate the script passes; only for them is it worth importing libcst."""
    words = script.words
    if words is not None and not gate.speaks_of_training(script.text, words):
        rules = [rule for rule in rules if rule.pack]
    return [rule for rule in rules if gate.passes(rule.gate, words) and gate.may_use(rule.frameworks, words)]


@cache
def modules_below(root: str) -> Modules:
    """The modules of a project; what is found out about them is kept as long as the process lasts."""
    return Modules(Path(root))


def forget() -> None:
    """Drop what was found out about projects and packs, for a process that outlives their changes."""
    modules_below.cache_clear()
    _project.cache_clear()
    _in_force.cache_clear()


@cache
def _project(modules: Modules) -> Project:
    from memlint.analysis.imported import Project

    return Project(modules)


def _parse(text: str) -> tuple[ast.Module | None, Exception | None]:
    try:
        return parsed(text), None
    except (RecursionError, MemoryError) as error:
        return None, error
    except (SyntaxError, ValueError) as error:
        null = text.find("\0")
        if null >= 0:  # Python says that there is one, but not where, in some versions by a ValueError
            before = text[:null].split("\n")
            place = (None, len(before), len(before[-1]) + 1, None)
            return None, SyntaxError("source code cannot contain null bytes", place)
        return None, error if isinstance(error, SyntaxError) else SyntaxError(str(error))


def _analyse(
    script: Script, checks: Checks, rules: Sequence[Rule], error: SyntaxError | None, outcome: Outcome
) -> None:
    # libcst takes null bytes for text; no Python does.
    if error is not None and (_is_deep(script.text) or "\0" in script.text):
        outcome.findings.append(_syntax_error(script, error))
        return
    from memlint.syntax import lean

    lean.import_libcst()
    import libcst as cst

    from memlint.analysis.model import ScriptModel
    from memlint.engine import across

    try:
        if script.modules is None:
            tests_too = checks.test_functions
            model = ScriptModel.parse(script.text, script.path, checks.torch_version, None, tests_too)
        else:
            place, project = Path(script.path).absolute(), _project(script.modules)
            model = across.parsed(project, place, script.text, checks.torch_version, checks.test_functions)
    except cst.ParserSyntaxError as unparsable:
        outcome.findings.append(_unparsed(script, error, unparsable))
        return
    except Exception as crash:
        # The parser of libcst takes letters of a newer Unicode for a name, its nodes ask this Python.
        if error is None:
            _record_crash(script, "the script model", crash, outcome)
        else:
            outcome.findings.append(_syntax_error(script, error))
        return
    script.let_go()
    matched: list[tuple[Rule, Match]] = []
    for rule in rules:
        try:
            found = across.settled(rule, model, checks.wants)
            matched += [(rule, match) for match in found if versions.concerns(match, checks)]
        except cst.ParserSyntaxError as unparsable:  # by libcst, when it was asked for the layout
            outcome.findings.append(_unparsed(script, error, unparsable))
            return
        except Exception as crash:
            if error is not None:
                # The parser of libcst takes any escape in a string, whose value is asked of this Python.
                outcome.findings.append(_syntax_error(script, error))
                return
            outcome.crashed.append(rule.code)
            _record_crash(script, rule.code, crash, outcome)
    if model.was_given_up:
        outcome.findings.append(_from_rule(_rule("MEM004"), script.path, START, {}, "too-long"))
        outcome.failed += f"{script.path}: too long to be run\n"
    if left_out := model.left_out:
        values = {"count": str(len(left_out)), "first": left_out[0].name.value}
        outcome.findings.append(_from_rule(_rule("MEM004"), script.path, START, values, "unfinished"))
        outcome.failed += f"{script.path}: too long: {values['count']} functions were not looked at\n"
    if matched:
        try:
            _build(script, model, matched, checks, outcome)
        except Exception as crash:
            outcome.crashed += {rule.code for rule, _ in matched}
            _record_crash(script, "the edits", crash, outcome)
    script.log.update(model.dependencies)


def _build(
    script: Script,
    model: ScriptModel,
    matched: Sequence[tuple[Rule, Match]],
    checks: Checks,
    outcome: Outcome,
) -> None:
    """Turn matches into findings, the places of all of them looked up in one pass."""
    from memlint.edit.lower import lay_out, lower_all

    nodes = [node for _, match in matched for node in (match.node, *(label.node for label in match.labels))]
    named_by = dict.fromkeys(cause for _, match in matched for cause in match.causes)
    nodes += [n for cause in named_by for n in cause if model.owns(n)]
    plans = [plan for _, match in matched for plan in match.plans]
    found = lay_out(plans, model, nodes)
    places = found.spans(nodes)
    fixes = dict(zip(plans, lower_all(plans, model, found), strict=True))
    named: dict[cst.CSTNode, str] = {}
    for rule, match in matched:
        try:
            finding = _finding(script, model, rule, match, places, named, fixes)
            outcome.findings.append(versions.named(finding, rule, match, checks))
        except Exception as crash:
            outcome.crashed.append(rule.code)
            _record_crash(script, rule.code, crash, outcome)


def _finding(
    script: Script,
    model: ScriptModel,
    rule: Rule,
    match: Match,
    places: Mapping[cst.CSTNode, Span],
    named: dict[cst.CSTNode, str],
    fixes: Mapping[Plan, Fix | Refused],
) -> Finding:
    finding = _from_rule(rule, script.path, places[match.node], match.values, match.variant)
    labels = [Note("label", label.text, places[label.node]) for label in match.labels]
    causes = [[_place(node, script, model, places, named) for node in cause] for cause in match.causes]
    written = [fixes[plan] for plan in match.plans]
    offered = [fix for fix in written if isinstance(fix, Fix)]
    refused = match.no_fix or next((fix.reason for fix in written if not isinstance(fix, Fix)), rule.no_fix)
    reasons = [f"no fix is offered: {refused}"] if refused and not offered else []
    own = [Note("note", text) for text in (*match.notes, *reasons)]
    return replace(
        finding,
        notes=(*labels, *own, *finding.notes),
        fix=offered[0] if offered else None,
        alternatives=tuple(offered[1:]),
        causes=() if any("" in cause for cause in causes) else tuple(map(LED_TO_BY.join, causes)),
    )


def _place(
    node: cst.CSTNode,
    script: Script,
    model: ScriptModel,
    places: Mapping[cst.CSTNode, Span],
    named: dict[cst.CSTNode, str],
) -> str:
    """Where a node is, as "path:line:column", in this file or another one: one text for all that name it."""
    if node not in named:
        span = places.get(node)
        if span is not None:
            named[node] = f"{os.path.abspath(script.path)}:{span.line}:{span.column}"
        else:
            from memlint.engine import across

            named[node] = across.place_of(node, model)
    return named[node]


def _from_rule(
    rule: Rule, path: str, span: Span, values: Mapping[str, str], variant: str = "default"
) -> Finding:
    """A finding with the rule's texts, their placeholders filled."""
    spoken = rule.variants[variant]
    texts = [("why", spoken.why), ("help", spoken.help)]
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=spoken.severity,
        message=spoken.message.format_map(values),
        path=path,
        span=span,
        fingerprint="",
        url=rule.url,
        notes=tuple(Note(kind, text.format_map(values)) for kind, text in texts if text),
        claim=spoken.claim,
        pack=rule.pack,
    )


def _record_crash(script: Script, where: str, crash: Exception, outcome: Outcome) -> None:
    import traceback

    error = f"{type(crash).__name__}: {crash}".partition("\n")[0][:120]
    # Python's parser has two words for it. In a rule it is a defect: deeper trees do not come so far.
    deep = where == "the parser" and isinstance(crash, (RecursionError, MemoryError))
    values = {"where": where, "error": error, "issues": f"{addresses.REPOSITORY}/issues"}
    variant = "too-deep" if deep else "default"
    outcome.findings.append(_from_rule(_rule("MEM004"), script.path, START, values, variant))
    said = f"nested too deeply for {where}" if deep else f"internal error in {where}: {error}"
    outcome.failed += f"{script.path}: {said}\n{''.join(traceback.format_exception(crash))}"


def _is_deep(text: str) -> bool:
    """Whether a text that Python refuses is nested so deeply that libcst's parser may overflow its stack.

    A text that Python accepts never is: its own limits are the tighter ones.
    """
    depth = deepest = 0
    for bracket in re.findall(r"[()\[\]{}]", text):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    return deepest > MOST_BRACKETS or max(map(len, text.splitlines()), default=0) > LONGEST_LINE


def _unparsed(script: Script, error: SyntaxError | None, unparsable: cst.ParserSyntaxError) -> Finding:
    """MEM001: where Python itself cannot parse the text, in its words; else it is libcst that cannot."""
    if error is not None:
        return _syntax_error(script, error)
    span = _clipped(script.text, unparsable.raw_line, unparsable.raw_column + 1)
    return _from_rule(_rule("MEM001"), script.path, span, {}, "unsupported")


def _syntax_error(script: Script, error: SyntaxError) -> Finding:
    span = _clipped(script.text, error.lineno or 1, error.offset or 1)
    return _from_rule(_rule("MEM001"), script.path, span, {"problem": error.msg})


def _clipped(text: str, line: int, column: int) -> Span:
    """An empty span at a position that may lie just beyond the end of the text."""
    starts = [*line_starts(text), len(text)]
    line = min(max(line, 1), len(starts) - 1)
    width = len(text[starts[line - 1] : starts[line]].rstrip("\r\n"))
    column = min(max(column, 1), width + 1)
    return Span(line, column, line, column)


def _meta(script: Script, complaint: suppress.Meta) -> Finding:
    finding = _from_rule(_rule(complaint.code), script.path, complaint.span, complaint.values)
    return replace(finding, fix=complaint.fix)


def _rule(code: str, pack: str = "") -> Rule:
    rule = packs.named(code, pack)
    assert rule is not None
    return rule


def _most_severe(findings: Sequence[Finding], checks: Checks) -> list[Finding]:
    """The findings without those that yield to a more severe one on the same lines."""
    lines: dict[str, list[Span]] = {}
    for finding in findings:
        if _is_wanted(finding, checks):
            lines.setdefault(finding.code, []).append(finding.span)

    def is_outdone(finding: Finding) -> bool:
        span = finding.span
        others = (s for code in _rule(finding.code, finding.pack).yields_to for s in lines.get(code, ()))
        return any(other.line <= span.end_line and span.line <= other.end_line for other in others)

    return [finding for finding in findings if not is_outdone(finding)]


def _is_wanted(finding: Finding, checks: Checks) -> bool:
    if finding.code not in checks.codes:
        return False
    if finding.severity is not Severity.ERROR and finding.code in checks.errors_only:
        return False
    return finding.severity is not Severity.ADVICE or finding.code in checks.advice
