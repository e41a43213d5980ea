"""Options of `memlint replay` behind SCRIPT: said to be lost only where the script does not know them."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

import pytest

from memlint.commands.command_line.behind_script import Misplaced, corrected, file_of, misplaced
from memlint.commands.replay import add_arguments

ARGPARSE = """
import argparse
def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=0.1)
    device = "cpu"
    args = ap.parse_args()
main()
"""
CLICK = """
import click
@click.command()
@click.option("--lr", default=0.1, help="not --htmls")
def main(lr):
    pass
main()
"""
PLAIN = "import torch\nprint('page.html', torch.ones(1))\n"
GIVEN = ("--lr", "0.2", "--html", "page.html")


def of(folder: Path, text: str, *arguments: str, **modules: str) -> list[Misplaced]:
    known = argparse.ArgumentParser()
    add_arguments(known)
    for name, module in {"train": text, **modules}.items():
        path = folder / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(module), encoding="utf-8")
    return misplaced(known, arguments, str(folder / "train.py"), [str(folder)])


HTML = ("--html", "page.html")


@pytest.mark.parametrize(
    ("text", "parser"),
    [
        (ARGPARSE, "argparse"),
        ("from argparse import ArgumentParser\n" + ARGPARSE.replace("argparse.A", "A"), "argparse"),
        (CLICK.replace("--htmls", "html"), "click"),
        (PLAIN, ""),
    ],
    ids=["argparse", "from argparse", "click", "no parser"],
)
def test_an_option_that_the_script_does_not_know_is_found(tmp_path: Path, text: str, parser: str) -> None:
    assert of(tmp_path, text, *GIVEN) == [Misplaced(HTML, parser)]
    assert of(tmp_path, text, "--lr", "0.2", "--html=page.html") == [Misplaced(("--html=page.html",), parser)]


TAKES = {
    "spelled out": ARGPARSE.replace("--lr", "--html"),
    "abbreviated": ARGPARSE.replace("--lr", "--html-report"),
    "named in a text": CLICK,
    "the rest is left": ARGPARSE.replace("args = ap.parse_args()", "args, rest = ap.parse_known_args()"),
    "given words": ARGPARSE.replace("parse_args()", "parse_args(words)"),
    "made in a loop": ARGPARSE.replace('"--lr", type=float, default=0.1', 'f"--{name}"'),
    "a library adds options": ARGPARSE.replace("args = ", "deepspeed.add_config_arguments(ap)\n    args = "),
    "sys.argv": "import sys\nprint(sys.argv[1:])\n",
    "fire": "import fire\ndef main(lr=0.1, **options): pass\nfire.Fire(main)\n",
    "hydra": "import hydra\n@hydra.main(config_name='a')\ndef main(config): pass\nmain()\n",
    "absl": "from absl import app, flags\nflags.DEFINE_string('lr', '', '')\napp.run(print)\n",
    "typer": "import typer\ndef main(lr: float = 0.1): pass\ntyper.run(main)\n",
    "dataclass": "from transformers import HfArgumentParser\nHfArgumentParser(object)\n",
    "a foreign main": "from torchtitan.train import main\nmain()\n",
    "a foreign parser": "from detectron2.engine import parser\nprint(parser().parse_args())\n",
    "no Python": "this is = not Python\n",
}


@pytest.mark.parametrize("text", TAKES.values(), ids=TAKES)
def test_where_the_script_may_take_an_option_nothing_is_said(tmp_path: Path, text: str) -> None:
    assert of(tmp_path, text, *GIVEN) == []


def test_the_project_is_read_as_far_as_the_script_imports_it(tmp_path: Path) -> None:
    script = "from pkg.options import parse\nparse()\n"
    options = ARGPARSE.replace("--lr", "--html").replace("main", "parse").removesuffix("parse()\n")
    assert of(tmp_path, script, *GIVEN, **{"pkg.options": options}) == []
    relative = "from .more import parse\n"
    assert of(tmp_path, script, *GIVEN, **{"pkg.options": relative, "pkg.more": options}) == []
    own = "def add_more(p): pass\n" + ARGPARSE.replace("args = ", "add_more(ap)\n    args = ")
    assert of(tmp_path, own, *GIVEN) == [Misplaced(HTML, "argparse")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--steps", "10"), [("--steps", "10")]),
        (("--steps", "many"), []),
        (("--device", "cuda"), [("--device", "cuda")]),
        (("--device", "mps"), []),
        (("--no-fix", "-q"), [("--no-fix",), ("-q",)]),
        (("-o", "s.json", "--lr", "1"), [("-o", "s.json")]),
        (("--help",), []),
        (("--", "--html", "x"), []),
        (("--html",), []),
    ],
)
def test_only_what_replay_itself_would_take_counts(
    tmp_path: Path, arguments: tuple[str, ...], words: list[tuple[str, ...]]
) -> None:
    assert [row.words for row in of(tmp_path, ARGPARSE, *arguments)] == words


def test_the_right_command_line_is_told() -> None:
    found = [Misplaced(HTML, ""), Misplaced(("-q",), "")]
    line = corrected(["replay", "--device", "cpu"], found, "train.py", ["--lr", "a b", *HTML, "-q", "last"])
    assert line == "memlint replay --device cpu --html page.html -q train.py --lr 'a b' last"


def test_a_module_is_looked_up_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "train.py").write_text("", encoding="utf-8")
    assert file_of("pkg.train", str(tmp_path)) == str(tmp_path / "pkg" / "train.py")
    assert file_of("elsewhere", str(tmp_path)) == ""
