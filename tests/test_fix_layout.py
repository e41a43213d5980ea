"""Fixes leave a file as its author laid it out, and no name behind that nothing defines or uses any more."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from memlint.catalogue import Rule
from tests.test_rules import SPEAKING, fix, unmarked

FIXING = [rule for rule in SPEAKING if any(example.fixed for example in rule.bad)]
NAMES = "F401,F811,F821,F841"


def tabbed(text: str) -> str:
    """The text with tabs for every four spaces of indentation."""
    lines = []
    for line in text.split("\n"):
        rest = line.lstrip(" ")
        depth, spaces = divmod(len(line) - len(rest), 4)
        lines.append("\t" * depth + " " * spaces + rest)
    return "\n".join(lines)


LAYOUTS: dict[str, Callable[[str], str]] = {
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "no newline at the end": lambda text: text.removesuffix("\n"),
    "tabs": tabbed,
}


def means(text: str) -> str:
    return ast.dump(ast.parse(text))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rule", FIXING, ids=lambda rule: rule.code)
def test_the_layout_of_the_file_is_kept(rule: Rule, layout: str) -> None:
    form = LAYOUTS[layout]
    for example in rule.bad:
        text = unmarked(example.code)
        shaped = form(text)
        # Without a tab in it, a text does not tell that its author indents by them.
        if not example.fixed or shaped == text or means(shaped) != means(text):
            continue
        plain = fix(rule, text, unsafe=True)
        got = fix(rule, shaped, unsafe=True)
        assert (got.text, got.refused) == (form(plain.text), plain.refused), example.title


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
def test_no_name_is_left_undefined_or_unused(unsafe: bool, tmp_path: Path) -> None:
    for rule in FIXING:
        for number, example in enumerate(rule.bad):
            text = unmarked(example.code)
            for folder, content in (("before", text), ("after", fix(rule, text, unsafe=unsafe).text)):
                path = tmp_path / folder / f"{rule.code}_{number}.py"
                path.parent.mkdir(exist_ok=True)
                path.write_text(content, "utf-8")
    before, after = complaints(tmp_path / "before"), complaints(tmp_path / "after")
    # A snippet may leave a name undefined, which a fix then uses once more.
    assert {name: new for name in after if (new := after[name] - before[name])} == {}


def complaints(folder: Path) -> dict[str, set[str]]:
    """What ruff says about the names of every file in a folder."""
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "check", "--isolated", "--no-cache", f"--select={NAMES}", "--output-format=json"]
    answer = subprocess.run([*command, str(folder)], capture_output=True, text=True)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for entry in json.loads(answer.stdout):
        found[Path(entry["filename"]).name].add(f"{entry['code']} {entry['message']}")
    return found


COMMENTED = {
    "a comma": ("    seed=1,  # fixed\n)", "    seed=1,  # fixed\n    eval_accumulation_steps=16,\n)"),
    "no comma": ("    seed=1  # fixed\n)", "    seed=1,  # fixed\n    eval_accumulation_steps=16\n)"),
    "a comment below": (
        "    seed=1,  # fixed\n    # bf16=True,\n)",
        "    seed=1,  # fixed\n    eval_accumulation_steps=16,\n    # bf16=True,\n)",
    ),
}


@pytest.mark.parametrize("name", COMMENTED)
def test_an_argument_is_put_below_the_comment_on_the_one_before(name: str) -> None:
    last, wanted = COMMENTED[name]
    text = (
        "from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        f'args = TrainingArguments(\n    "out",\n{last}\n'
        'net = AutoModelForCausalLM.from_pretrained("gpt2")\n'
        "Trainer(net, args, compute_metrics=print).evaluate()\n"
    )
    rule = next(rule for rule in FIXING if rule.code == "MEM126")
    assert fix(rule, text, unsafe=False).text == text.replace(last, wanted)
