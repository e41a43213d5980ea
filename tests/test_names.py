"""Names resolve as Python does, and as libcst's QualifiedNameProvider on real files.

The provider is the oracle only here: on the check path it would cost ten times the parse.
"""

from __future__ import annotations

import importlib.util
import textwrap
from functools import cache
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, QualifiedNameProvider, QualifiedNameSource

from memlint.syntax.names import Names
from memlint.syntax.tree import dotted

PACKAGES = (
    "libcst",
    "hypothesis",
    "rich",
    "numpy",
    "mypy",
    "jsonschema",
    "pre_commit",
    "importlinter",
    "pip",
    "torch",
)
SMALLEST, LARGEST = 1_000, 15_000
WANTED = 110
GROUPS = 5


@cache
def corpus() -> tuple[Path, ...]:
    """The real files: an even choice among all of fitting size in what the dev extra installs."""
    found: list[Path] = []
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            found += (
                p for p in sorted(Path(folder).rglob("*.py")) if SMALLEST <= p.stat().st_size <= LARGEST
            )
    return tuple(found[:: max(1, len(found) // WANTED)])


def disagreements(text: str) -> tuple[int, list[str]]:
    """How many calls are rooted at an import, and those of which model and oracle say different things."""
    module = cst.parse_module(text)
    oracle = MetadataWrapper(module, unsafe_skip_copy=True).resolve(QualifiedNameProvider)
    names = Names(module)
    rooted, wrong = 0, []
    for call in names.calls:
        answer = oracle.get(call.func, set())
        known = answer() if callable(answer) else answer
        wanted = {name.name for name in known if name.source is QualifiedNameSource.IMPORT}
        found = names.qualified(call.func)
        if dotted(call.func) and (wanted or found):
            rooted += 1
            if wanted != found:
                wrong.append(f"{dotted(call.func)}: {sorted(found)} instead of {sorted(wanted)}")
    return rooted, wrong


def test_there_are_enough_real_files() -> None:
    assert len(corpus()) >= 100


@pytest.mark.parametrize("group", range(GROUPS))
def test_calls_in_real_files_have_the_names_of_the_oracle(group: int) -> None:
    total = 0
    for path in corpus()[group::GROUPS]:
        try:
            text = path.read_text(encoding="utf-8")
            rooted, wrong = disagreements(text)
        except (UnicodeDecodeError, cst.ParserSyntaxError):
            continue
        assert wrong == [], path
        total += rooted
    assert total > 100


def names_of_probes(source: str) -> list[str]:
    """What the function of every `....probe()` call stands for, in source order; "" for nothing imported."""
    names = Names(cst.parse_module(textwrap.dedent(source)))
    calls = [call for call in names.calls if dotted(call.func).endswith("probe")]
    return [" or ".join(sorted(names.qualified(call.func))) for call in calls]


CASES = {
    "plain import": ("import torch\ntorch.probe()", ["torch.probe"]),
    "import with as": ("import torch as th\nth.nn.probe()", ["torch.nn.probe"]),
    "dotted import binds its head": ("import torch.cuda.amp\ntorch.nn.probe()", ["torch.nn.probe"]),
    "dotted import with as": ("import torch.cuda.amp as amp\namp.probe()", ["torch.cuda.amp.probe"]),
    "from import": ("from torch.cuda import amp\namp.probe()", ["torch.cuda.amp.probe"]),
    "from import with as": ("from torch import probe as p_probe\np_probe()", ["torch.probe"]),
    "relative import keeps its dots": ("from ..amp import probe\nprobe()", ["..amp.probe"]),
    "relative import of a sibling": ("from . import amp\namp.probe()", [".amp.probe"]),
    "star import names nothing": ("from torch import *\nprobe()", [""]),
    "unbound name": ("probe()", [""]),
    "parameter shadows": ("import torch\ndef f(torch):\n    torch.probe()", [""]),
    "local assignment shadows all over the function": (
        "import torch\ndef f():\n    torch.probe()\n    torch = 1",
        [""],
    ),
    "other function is not shadowed": (
        "import torch\ndef f():\n    torch = 1\ndef g():\n    torch.probe()",
        ["torch.probe"],
    ),
    "import inside a function is its own": (
        "def f():\n    import torch\n    torch.probe()\ndef g():\n    torch.probe()",
        ["torch.probe", ""],
    ),
    "closure reads the outer function": (
        "def f():\n    from torch import nn\n    def g():\n        nn.probe()",
        ["torch.nn.probe"],
    ),
    "class scope is not seen by its methods": (
        "class A:\n    from torch import nn\n    nn.probe()\n    def f(self):\n        nn.probe()",
        ["torch.nn.probe", ""],
    ),
    "comprehension variable shadows inside only": (
        "import torch\nx = [torch.probe() for torch in y]\ntorch.probe()",
        ["", "torch.probe"],
    ),
    "first iterable is read outside": (
        "import torch\nx = [1 for torch in torch.probe()]",
        ["torch.probe"],
    ),
    "walrus in a comprehension binds outside": (
        "import torch\ndef f():\n    [torch := 1 for _ in y]\n    torch.probe()",
        [""],
    ),
    "lambda parameter shadows": ("import torch\nf = lambda torch: torch.probe()", [""]),
    "default of a parameter is read outside": (
        "import torch\ndef f(torch=torch.probe()):\n    pass",
        ["torch.probe"],
    ),
    "decorator is read outside": (
        "import torch\n@torch.probe()\ndef f(torch):\n    pass",
        ["torch.probe"],
    ),
    "global reaches the module": (
        "import torch\ndef f(g):\n    global torch\n    torch.probe()",
        ["torch.probe"],
    ),
    "nonlocal reaches the outer function": (
        "def f():\n    import torch\n    def g():\n        nonlocal torch\n        torch.probe()",
        ["torch.probe"],
    ),
    "loop target shadows": ("import torch\ndef f():\n    for torch in x:\n        torch.probe()", [""]),
    "with target shadows": ("import torch\ndef f():\n    with x as torch:\n        torch.probe()", [""]),
    "except target shadows": (
        "import torch\ndef f():\n    try:\n        pass\n    except E as torch:\n        torch.probe()",
        [""],
    ),
    "match capture shadows": (
        "import torch\ndef f(x):\n    match x:\n        case [torch]:\n            torch.probe()",
        [""],
    ),
    "two imports are two answers": (
        "try:\n    from torch import amp\nexcept ImportError:\n    from apex import amp\namp.probe()",
        ["apex.amp.probe or torch.amp.probe"],
    ),
    "del does not unbind for the resolution": ("import torch\ntorch.probe()\ndel torch", ["torch.probe"]),
    "type parameters": (
        "import torch\ndef f[T](x: T) -> T:\n    return torch.probe(x)",
        ["torch.probe"],
    ),
    "call of a call is nothing": ("import torch\ntorch.probe()().probe()", ["torch.probe"]),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES.keys())
def test_a_name_stands_for(source: str, expected: list[str]) -> None:
    assert names_of_probes(source) == expected


# The oracle takes the walrus for a name of the comprehension and does not know what `match` binds.
BEYOND_THE_ORACLE = {"walrus in a comprehension binds outside", "match capture shadows"}


@pytest.mark.parametrize("case", [name for name in CASES if name not in BEYOND_THE_ORACLE])
def test_the_hand_made_answers_are_those_of_the_oracle(case: str) -> None:
    assert disagreements(CASES[case][0])[1] == []


def single(source: str) -> str:
    """What `Names.one` says of the function of the last call."""
    names = Names(cst.parse_module(source))
    return names.one(names.calls[-1].func)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import torch\ntorch.probe()", "torch.probe"),
        ("from torch import amp\namp = None\namp.probe()", ""),
        ("from torch import amp\ndef amp():\n    pass\namp.probe()", ""),
        ("try:\n    from torch import amp\nexcept ImportError:\n    from apex import amp\namp.probe()", ""),
        ("from torch import amp\nfrom torch import amp\namp.probe()", "torch.amp.probe"),
    ],
    ids=["one import", "assigned too", "defined too", "two imports", "the same import twice"],
)
def test_one_is_sure_or_silent(source: str, expected: str) -> None:
    assert single(source) == expected


def test_every_node_has_the_one_above_it() -> None:
    for path in corpus()[::8]:
        names = Names(cst.parse_module(path.read_text("utf-8")))
        assert all(names.holds(node) for node in names.preorder.nodes), path
        below = names.preorder.nodes[1:]
        assert all(names.parents[node] in names.preorder.position for node in below), path


def test_references_are_the_outermost_chains() -> None:
    module = cst.parse_module("import torch\nx = torch.cuda.amp.autocast\ny: torch.cuda.amp.GradScaler\n")
    names = Names(module)
    below = [dotted(node) for node in names.references("torch.cuda.amp.*")]
    assert sorted(below) == ["torch.cuda.amp.GradScaler", "torch.cuda.amp.autocast"]
    assert [dotted(node) for node in names.references("torch.cuda.amp.autocast")] == [
        "torch.cuda.amp.autocast"
    ]
    assert names.references("torch.cuda.amp") == []


def test_imported_roots_name_every_package() -> None:
    module = cst.parse_module("import torch.nn as nn\nfrom lightning import *\ndef f():\n    import apex\n")
    assert Names(module).imported_roots() == {"torch", "lightning", "apex"}
