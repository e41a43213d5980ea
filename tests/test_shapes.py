"""Every rule speaks of its examples in other shapes of code too, and is silent about its traps in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlint.catalogue import META, Rule
from memlint.engine import check as engine
from memlint.examples import Example
from memlint.finding import Finding, each
from tests import examples
from tests.shapes import SHAPES
from tests.test_rules import marks, unmarked

RULES = [rule for rule in examples.rules() if rule.detector != META]

INSIDE = re.compile(r"^it happens inside .*, (\S+):(\d+)$")

FLAT_ONLY: dict[str, str] = {
    "MEM502": "the order of the top level is what it is about",
    "MEM503": "the order of the top level is what it is about",
}
"""Rules whose examples mean something else when they are moved."""

MISSED: dict[tuple[str, str], str] = {
    ("MEM101", "mixed precision: the sum grows before the scaled backward"):
        "a nested function that nothing calls is not run",
    ("MEM404", "batches remembered for a replay at the end of the epoch"):
        "a nested function that nothing calls is not run",
    ("MEM122", "one step in the whole script: there are no gradients yet"):
        "one step in a function may be one of many",
    ("MEM121",
     "loaded under a condition, or wrapped: the backward may run through what the optimizer has"):
        "what a function out of view gives may be set on self by it as well",
    ("MEM117",
     "what an old release needs stands in a branch of its own, the other one saves as it should"):
        "a variable of an enclosing function that compares versions is not followed",
    ("MEM102",
     "the other arm of a switch over versions runs the same under no_grad: this one is for torch 0.3"):
        "a variable of an enclosing function that compares versions is not followed",
    ("MEM124", "counts through the loader, but the batch was taken before the loop"):
        "an attribute may change between the steps",
    ("MEM201", "an extraction script without any sign of evaluation"):
        "a method without any sign of evaluation may be called for training",
    ("MEM201", "an extraction script that never calls eval()"):
        "a method without any sign of evaluation may be called for training",
    ("MEM201", "a script that runs a network over all its data and looks at nothing but sizes"):
        "a method without any sign of evaluation may be called for training",
    ("MEM403", "a script for Python 3.14"):
        "the comment that names the version of Python stays behind",
    ("MEM411", "a global dictionary behind a loading function; the number of workers is the caller's"):
        "as a local of a function the dictionary is no global one",
    ("MEM412", "flat script: the outputs of all batches in one tensor"):
        "a tensor on self may be read by any method",
    ("MEM412", "the outputs of all batches in one tensor"):
        "a tensor on self may be read by any method",
    ("MEM906", "a stream has no order to shuffle"):
        "the data set is a class made inside of a function",
    ("MEM907", "both forms of a hook in a file that asks for the version"):
        "whether the file asks for a version is read off its top level",
    ("MEM126", "model and arguments from helpers, the trainer made in main"):
        "the helpers' results are followed from the top level, not from function to nested function",
    ("MEM201", "features go into a list, and only what is joined from it is detached"):
        "who reads a list on self is not followed",
    ("MTF113", "a custom loop in main, the model from a function called outside"):
        "a function inside of another is not followed into",
    ("MTF114", "the policy, but softmax in float16"):
        "the policy is set in one file, the layers are made in another",
    ("MTF101", "a whole script of TensorFlow 1, with one name that has a fix"):
        "one finding speaks of many lines",
}  # fmt: skip
"""Rule and title of examples that are not seen in some shape, with the reason."""

DIVIDED = "one file has the loop, the other what it works on, and neither tells enough alone"

APART: dict[tuple[str, str], str] = {
    ("MEM102", "what a forward pass leaves in an attribute carries its graph to whoever reads it"):
        "the run does not go through the modules of other files",
    ("MEM106", "module that keeps its own state on self between calls"):
        "the run does not go through the modules of other files",
    ("MEM107", "a buffer with a short name, averaged in place while the layer trains"):
        "the run does not go through the modules of other files",
    ("MEM201", "validation runs under no_grad each epoch, the last test of the script does not"):
        "a caller in another file that is not under no_grad may train",
    ("MEM402", "a part of a script without its imports: `json` can only be the module"):
        "two files are no part of a script",
    ("MEM103", "a LightningModule that the trainer runs on the CPU"):
        "trainers in other files are not asked for devices",
    ("MEM407", "a data set that is indexed directly, without a loader"):
        "a data set in a module of its own may be given workers by any other",
    ("MEM408", "the sizes are visible where main is called"):
        "callers in other files are not asked for sizes",
    ("MEM701", "the only call of the file leaves the device at its default"):
        "callers in other files are not asked for devices",
    ("MEM701", "a list of states, a device in the configuration, a handler that fills all objects"):
        DIVIDED,
    ("MEM902", "a nonexistent name imported by name: the import is what fails"): "both files import it",
    ("MEM904", "memory statistics imported by name in a helper"): "both files import it",
    ("MEM904", "the old launcher in commands and imports"): "both files import it",
    ("MTF104", "a trainer class run at the end of the file"): "nothing in the script's own file trains",
    ("MTF107", "a class with its pipeline on self, augmented before the cache, trained by hand"): DIVIDED,
    ("MTF107", "helpers that take the dataset; an endless cache; a cheap map"): DIVIDED,
    ("MTF108", "one model for each setting, in a comprehension"):
        "the file with the comprehension does not say that what it calls is Keras",
    ("MTF108", "the comprehension keeps numbers: each model lives within the function that scores it"):
        "the file with the comprehension does not say that what it calls is Keras",
    ("MTF110", "the number of enumerate, by keyword"): DIVIDED,
    ("MTF113", "a trainer that never enters the scope"): DIVIDED,
}  # fmt: skip
"""The same for examples whose functions and classes go into another file, there only."""


def spoken(rule: Rule, files: dict[str, str], folder: Path) -> int:
    """How many lines of the files the rule speaks of."""
    for name, text in files.items():
        compile(text, name, "exec", dont_inherit=True)
        (folder / name).write_text(text, "utf-8")
    codes = frozenset({rule.code, "MEM004"})
    lines = set()
    for name, text in files.items():
        checks = engine.Checks(codes, codes, name, root=str(folder))
        report = engine.check(text, str(folder / name), checks)
        assert not report.failed
        lines |= {place for finding in each(report.findings) for place in _places(name, finding)}
    return len(lines)


def _places(name: str, finding: Finding) -> set[tuple[str, int]]:
    """The files and lines that a finding speaks of: for one at a call, those of what happens inside of it."""
    inside = [found for note in finding.notes if (found := INSIDE.search(note.text)) is not None]
    return {(found[1], int(found[2])) for found in inside} or {(name, finding.span.line)}


def judged(rule: Rule, example: Example, shape: str, folder: Path) -> str:
    files = SHAPES[shape](unmarked(example.code))
    missed = {**MISSED, **APART} if shape == "two files" else MISSED
    if files is None or (rule.code, example.title) in missed:
        return ""
    wanted, found = len({line for line, _, _ in marks(example.code)}), spoken(rule, files, folder)
    return "" if found == wanted else f"{example.title} ({shape}): {found} lines instead of {wanted}"


@pytest.mark.parametrize("rule", [r for r in RULES if r.code not in FLAT_ONLY], ids=lambda rule: rule.code)
def test_examples_mean_the_same_in_every_shape(rule: Rule, tmp_path: Path) -> None:
    problems = []
    for number, example in enumerate((*rule.bad, *rule.good)):
        for shape in SHAPES:
            folder = tmp_path / f"{number} {shape}"
            folder.mkdir()
            problems.append(judged(rule, example, shape, folder))
    assert list(filter(None, problems)) == []


def test_the_known_misses_are_examples_with_a_reason() -> None:
    titles = {(rule.code, example.title) for rule in RULES for example in (*rule.bad, *rule.good)}
    assert {*MISSED, *APART} <= titles
    assert all((*MISSED.values(), *APART.values()))
