"""`memlint new-rule`: the files of a new rule, every field of them a blank to fill; for a source checkout."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from string import Template

from memlint import catalogue
from memlint.errors import UsageError

CODE = re.compile(r"(MEM|MTF)\d{3}")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
FAMILIES = {
    "MEM1": "retention", "MEM2": "grad_mode", "MEM3": "precision", "MEM4": "loading", "MEM5": "allocator",
    "MEM6": "distributed", "MEM7": "checkpoints", "MEM8": "opportunities", "MEM9": "api",
    "MTF1": "tensorflow",
}  # fmt: skip
"""The folder of memlint/detect that the detectors of a code's hundred are in."""

_RULE = Template("""\
#:schema ./_schema.json
code = "$code"
name = "$name"
summary = "FILL IN: the problem in one line of at most 100 characters, no capital, no full stop"
severity = "FILL IN: error, warning or advice"
certainty = "FILL IN: certain, likely or advice"
# What it is about: memory, training (it fails or trains wrongly), opportunity, time or style.
concern = "memory"
since = "FILL IN: the first version that has this rule, such as 0.3.0"
frameworks = ["FILL IN: torch, tensorflow, keras, lightning, transformers or apex"]
fix = "FILL IN: the most that a fix of this rule may be: none, display, unsafe, repair or safe"
${detector}message = "FILL IN: the headline with {$placeholder} in it, no capital, no full stop"
why = "FILL IN: why this costs memory, in one line"
help = "FILL IN: what to do instead, in one line"
# At least one word of every group must be an identifier or a keyword of a script, or the rule is not run.
gate = [["FILL IN: a word without which the rule can find nothing"]]
references = ["FILL IN: https://... of the documentation that says so"]

explanation = \'\'\'
FILL IN: what happens, the memory it costs with measured numbers, and how to fix it.
\'\'\'

# Needed as soon as the rule has a fix; delete it for fix = "none".
fix-safety = \'\'\'
FILL IN: whether the fix can change a result, and in which cases none is offered.
\'\'\'

known-limits = \'\'\'
FILL IN: what the rule cannot see, and what it leaves alone.
\'\'\'

[claim]
type = "FILL IN: GROWTH, GROWTH-HOST, PEAK, RESERVED, HOST, TIME, CORRECT or STATIC"
formula = "FILL IN: how many bytes a measurement must show"
$match
# Three and three complete scripts of 4 to 8 lines; all others become files of tests/rules/$code.
[bad]
"FILL IN: the shape of the script, such as: flat script" = \'\'\'
FILL IN: a script; each line that must be reported ends in #! $code; - and + start lines that the fix changes
\'\'\'
"FILL IN: another shape, such as: function called from main" = \'\'\'
FILL IN: a script with the same problem in another shape
\'\'\'
"FILL IN: another shape, such as: method of a trainer class" = \'\'\'
FILL IN: a script with the same problem in a third shape
\'\'\'

[good]
"FILL IN: why this look-alike is right" = \'\'\'
FILL IN: a script that looks like the problem and is none
\'\'\'
"FILL IN: why this look-alike is right, too" = \'\'\'
FILL IN: another one
\'\'\'
"FILL IN: why this look-alike is right as well" = \'\'\'
FILL IN: a third one
\'\'\'
""")
_LOOK_ALIKE = """\
# FILL IN: why this look-alike is right; name the file after it

FILL IN: one more script that looks like the problem and is none; there are more good than bad ones
"""
_MATCH = """
[[match]]
api = ["FILL IN: qualified names such as torch.cuda.empty_cache"]
kind = "FILL IN: reference (any use of the name), import or import-module; _schema.json says more"
replacement = "FILL IN: what to use instead; {replacement} shows it in a message"
"""
_DETECTOR = Template('''\
"""$code: FILL IN: what is reported, in one line."""

from __future__ import annotations

from collections.abc import Iterator

from memlint.analysis.match import Match
from memlint.analysis.model import ScriptModel
from memlint.catalogue import Rule

_CALLS = frozenset({"FILL IN: qualified names such as torch.cuda.empty_cache"})


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """FILL IN: which calls are reported, and which of them are not."""
    for call in model.names.calls:
        if model.names.one(call.func) in _CALLS:
            yield Match(call, {"call": model.short(call)})
''')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint new-rule`."""
    parser.add_argument("code", metavar="CODE", help="an unused code such as MEM129")
    parser.add_argument("name", metavar="NAME", help="names the bad pattern, such as graph-kept-by-hook")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--detector", action="store_true", help="found by a function in memlint/detect/FAMILY")
    how.add_argument("--match", action="store_true", help="found by a table of names in the rule file")


def run(options: argparse.Namespace) -> int:
    """Write the files of the rule and say what comes next.

    Raises:
        UsageError: not in a source checkout, a malformed code or name, or one that is taken.
    """
    for path, text in _scaffold(options.code, options.name, detector=options.detector).items():
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        print(f"wrote {path}")
    print(f"fill in every `{catalogue.BLANK}`, then run: pytest tests/test_rules.py -k {options.code}")
    return 0


def _scaffold(code: str, name: str, *, detector: bool) -> dict[Path, str]:
    """The files of a new rule with their texts; none of them exists.

    Raises:
        UsageError: as for `run`.
    """
    rules = _checked_out_rules()
    _check_free(rules, code, name)
    module, family = name.replace("-", "_"), FAMILIES[code[:4]]
    texts = {
        rules / f"{code}-{name}.toml": _RULE.substitute(
            code=code,
            name=name,
            placeholder="call" if detector else "api",
            detector=f'detector = "{family}.{module}"\n' if detector else "",
            match="" if detector else _MATCH,
        )
    }
    if detector:
        texts[rules.parent / "memlint" / "detect" / family / f"{module}.py"] = _DETECTOR.substitute(code=code)
    texts[rules.parent / "tests" / "rules" / code / "good_look_alike.py"] = _LOOK_ALIKE
    for path in texts:
        if path.exists():
            raise UsageError(f"{path} exists already", "choose another name")
    return texts


def _checked_out_rules() -> Path:
    rules = catalogue.rules_directory()
    if rules.parent.name == "memlint" and (rules.parent / "__init__.py").is_file():
        raise UsageError("new-rule works in a source checkout of memlint only", "clone it, pip install -e .")
    return rules


def _check_free(rules: Path, code: str, name: str) -> None:
    if not CODE.fullmatch(code):
        raise UsageError(f"`{code}` is not a rule code", "write it like MEM129 or MTF115")
    if code[:4] not in FAMILIES:
        raise UsageError(f"no family of rules has `{code}`", f"begin it with one of {', '.join(FAMILIES)}")
    if not NAME.fullmatch(name):
        raise UsageError(f"`{name}` is not a rule name", "small letters and digits, joined by -")
    for taken in (*rules.glob(f"{code}-*.toml"), *rules.glob(f"M?????-{name}.toml")):
        raise UsageError(f"{taken.name} exists already", "choose another code and name")
