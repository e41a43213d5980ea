"""Options of `memlint replay` that stand behind SCRIPT: they go to the script. Would it know them?

A static look at the script and at what it imports from its own folder; nothing is run. Where it is not sure
that an option is lost on the script, it says nothing.
"""

from __future__ import annotations

import argparse
import ast
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from memlint.records import dataclass

FILES = 60
"""Files of the project that are looked at."""

OPEN = frozenset(
    "cyclopts configargparse docopt fire gin hydra jsonargparse lightning omegaconf plac pytorch_lightning "
    "sacred simple_parsing tap tyro".split()
)
"""Libraries that make options out of signatures, configurations or anything else: all may be known."""

CLOSED = ("argparse", "click")
"""Libraries whose parser refuses an option that the script has not spelled out."""

SILENT = frozenset(
    "PIL accelerate cv2 datasets diffusers einops gym gymnasium matplotlib numpy pandas scipy sklearn "
    "tensorboard timm torch torchaudio torchvision tqdm transformers wandb yaml".split()
)
"""Libraries from elsewhere that leave the command line to the script."""

TOLERANT = frozenset(
    "parse_known_args parse_known_intermixed_args HfArgumentParser REMAINDER ignore_unknown_options "
    "allow_extra_args LightningCLI".split()
)
"""Names whose use lets a script take options that it does not spell out."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """An option of memlint that the script would get: `words` are the option and its value, as given.

    `parser` is the library whose parser certainly refuses it, "" where the script would only ignore it.
    """

    words: tuple[str, ...]
    parser: str


@dataclass(slots=True)
class _Seen:
    """What the project says about its command line.

    `handed` are functions that were given a parser, and the names under which they were given it; `made`
    are names of parsers, `defined` the project's own functions.
    """

    imports: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    handed: set[tuple[str, str]] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    computed: bool = False
    parses: bool = False

    @property
    def is_open(self) -> bool:
        """Whether options may be taken that are spelled out nowhere."""
        foreign = any(name in self.made and to not in self.defined for to, name in self.handed)
        takes = "argv" in self.names or bool(self.imports & OPEN or self.names & TOLERANT)
        return takes or self.computed or foreign


def misplaced(
    parser: argparse.ArgumentParser, arguments: Sequence[str], script: str, folders: Sequence[str]
) -> list[Misplaced]:
    """Options among `arguments` that `parser` knows and the script surely does not.

    `folders` are those from which the script imports modules of its own.
    """
    given = list(_given(parser, arguments))
    if not given:
        return []
    seen = _Seen()
    trees = list(_project(script, folders))
    for tree in trees:
        _look(tree, seen)
    if not trees:
        return []
    if seen.is_open:
        return []
    closed = next((name for name in CLOSED if name in seen.imports and seen.parses), "")
    if not closed and (seen.parses or any(not _is_silent(name, folders) for name in seen.imports)):
        return []
    return [
        Misplaced(words, closed) for words in given if not _knows(seen, words[0].partition("=")[0], closed)
    ]


def given(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[tuple[str, ...]]:
    """Options of the parser among the arguments of a script, each with its value; none behind "--"."""
    return list(_given(parser, arguments))


def spelled_out(script: str, folders: Sequence[str]) -> set[str]:
    """The options that the script, and what it imports from `folders`, spells out somewhere."""
    seen = _Seen()
    for tree in _project(script, folders):
        _look(tree, seen)
    return seen.options


def _is_silent(library: str, folders: Sequence[str]) -> bool:
    """Whether a library does not read the command line by itself, or is the project's own and was read."""
    if library in sys.stdlib_module_names:
        return library not in ("argparse", "getopt", "optparse")
    return library in SILENT or any(
        os.path.exists(os.path.join(folder, library + end)) for folder in folders for end in ("", ".py")
    )


def file_of(name: str, folder: str) -> str:
    """The file that `python -m name` runs from a folder; "" where it is not one of the folder's."""
    return next(_files((f"{name}.__main__", name), [folder]), "")


def corrected(
    before: Sequence[str], found: Sequence[Misplaced], script: str, arguments: Sequence[str]
) -> str:
    """The command line with memlint's options where they belong; `before` is what stood before SCRIPT."""
    rest = list(arguments)
    for row in found:
        at = next(n for n in range(len(rest)) if tuple(rest[n : n + len(row.words)]) == row.words)
        del rest[at : at + len(row.words)]
    moved = [word for row in found for word in row.words]
    return shlex.join(["memlint", *before, *moved, script, *rest])


def _given(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Options of the parser among the arguments, each with its value, as far as the value would be one."""
    actions = parser._option_string_actions
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    for at, word in enumerate(arguments[:end]):
        name, equals, value = word.partition("=")
        action = actions.get(name)
        if action is None or action.dest in ("help", "module"):
            continue
        if action.nargs == 0:
            yield (word,)
        elif equals:
            yield from [(word,)] if _is_valid(action, value) else []
        elif at + 1 < end and _is_valid(action, arguments[at + 1]):
            yield (word, arguments[at + 1])


def _is_valid(action: argparse.Action, value: str) -> bool:
    if action.choices is not None:
        return value in action.choices
    try:
        return not callable(action.type) or action.type(value) is not None
    except (ValueError, TypeError, argparse.ArgumentTypeError):
        return False


def _knows(seen: _Seen, option: str, closed: str) -> bool:
    # argparse takes the beginning of an option for the whole.
    if any(known.startswith(option) for known in seen.options):
        return True
    bare = option.lstrip("-").replace("-", "_")
    return not closed and (bare in seen.words or (len(bare) > 1 and bare in seen.names))


def _project(script: str, folders: Sequence[str]) -> Iterator[ast.Module]:
    """The syntax trees of the script and of the files that it imports from `folders`."""
    waiting = [script]
    done: set[str] = set()
    while waiting and len(done) < FILES:
        path = waiting.pop(0)
        if path in done:
            continue
        done.add(path)
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        yield tree
        waiting += [found for found in _imported(tree, path, folders) if found not in done]


def _imported(tree: ast.Module, path: str, folders: Sequence[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        names: list[str] = []
        places = list(folders)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            names = [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
            if node.level:
                places = [os.path.normpath(os.path.join(path, *[os.pardir] * node.level))]
        yield from _files(filter(None, names), places)


def _files(names: Iterable[str], places: Sequence[str]) -> Iterator[str]:
    for name in names:
        for place in places:
            stem = os.path.join(place, *name.split("."))
            yield from filter(os.path.isfile, (f"{stem}.py", os.path.join(stem, "__init__.py")))


def _look(tree: ast.Module, seen: _Seen) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            seen.imports |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            seen.imports.add((node.module or "").partition(".")[0])
            seen.names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            seen.defined.add(node.name)
        elif isinstance(node, ast.Assign):
            if isinstance(node.value, ast.Call) and _name(node.value.func) == "ArgumentParser":
                seen.made |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Call):
            _call(node, seen)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            seen.words.add(node.value.lstrip("-").replace("-", "_"))
            seen.options |= {word for word in node.value.replace("=", " ").split() if word.startswith("-")}
        elif isinstance(node, ast.Attribute):
            seen.names.add(node.attr)
        elif isinstance(node, ast.Name):
            seen.names.add(node.id)
        elif isinstance(node, ast.arg):
            seen.names.add(node.arg)


def _call(node: ast.Call, seen: _Seen) -> None:
    """Whether a call parses the command line, or makes options that are not spelled out."""
    name = _name(node.func)
    if name in ("parse_args", "command", "group"):
        # Of given words, the command line is not known to be a part.
        seen.computed |= name == "parse_args" and bool(node.args or node.keywords)
        seen.parses = True
    literal = all(isinstance(arg, ast.Constant) for arg in node.args)
    if name in ("add_argument", "option"):
        seen.computed |= not literal
    handed = [*node.args, *(keyword.value for keyword in node.keywords)]
    # Another library may add its options to a parser that it is given.
    seen.handed |= {(name, arg.id) for arg in handed if isinstance(arg, ast.Name)}


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
