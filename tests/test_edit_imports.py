"""Adding an import: where it goes, and when it is not needed or not possible."""

from __future__ import annotations

import pytest

from memlint.analysis.match import AddImport, Replace
from memlint.edit.orphans import orphans
from memlint.source.text import apply_edits
from tests.scripts import Script, after, fix_of, fixed_text

IMPORTS: dict[str, tuple[str, str, str]] = {
    "after the leading imports": (
        "import a\nfrom b import (\n    c,\n)  # d\n\nimport_ = 1\nimport e\n",
        "import os",
        "import a\nfrom b import (\n    c,\n)  # d\nimport os\n\nimport_ = 1\nimport e\n",
    ),
    "after the docstring": ('"""Doc."""\n\nx = 1\n', "import os", '"""Doc."""\n\nimport os\n\nx = 1\n'),
    "after from __future__": (
        '"""Doc."""\nfrom __future__ import annotations\nx = 1\n',
        "import os",
        '"""Doc."""\nfrom __future__ import annotations\nimport os\nx = 1\n',
    ),
    "below the header of the file": (
        "#!/usr/bin/env python\n# licence\n\nx = 1\n",
        "import os",
        "#!/usr/bin/env python\n# licence\n\nimport os\n\nx = 1\n",
    ),
    "another name of the same module": (
        "import torch\n",
        "import torch.nn as nn",
        "import torch\nimport torch.nn as nn\n",
    ),
    "a submodule that nobody loaded": ("import torch\n", "import torch.utils.data", ""),
    "an import for type checkers does not count": (
        "import a\nif TYPE_CHECKING:\n    import os\n",
        "import os",
        "import a\nimport os\nif TYPE_CHECKING:\n    import os\n",
    ),
    "an import inside a function does not count": (
        "import a\ndef f():\n    import os\n",
        "import os",
        "import a\nimport os\ndef f():\n    import os\n",
    ),
}


@pytest.mark.parametrize(("text", "code", "expected"), IMPORTS.values(), ids=IMPORTS.keys())
def test_add_import(text: str, code: str, expected: str) -> None:
    assert after(text, lambda s: AddImport(code)) == (expected or f"{text}{code}\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import os\n", "import os"),
        ("import sys, os\n", "import os"),
        ("import torch.nn as nn\n", "from torch import nn"),
        ("from torch import optim as o, nn\n", "from torch import nn"),
        ("from torch import (\n    optim,\n    nn,\n)\n", "from torch import nn"),
        ("import torch.utils.data\n", "import torch.utils"),
        ("try:\n    import apex\nexcept ImportError:\n    raise\n", "import apex"),
    ],
)
def test_an_import_that_is_there_is_not_added_again(text: str, code: str) -> None:
    script = Script.read(text + "x = y\n")
    assert fix_of(script, AddImport(code)) is None
    assert fixed_text(script, Replace(script.expression("y"), "z"), AddImport(code)) == text + "x = z\n"


@pytest.mark.parametrize(
    "text",
    [
        "nn = 3\n",
        "a, (nn, b) = c\n",
        "from mine import nn\n",
        "def nn(): pass\n",
        "for nn in a: pass\n",
        "with a as nn: pass\n",
        "try:\n    from torch import nn\nexcept ImportError:\n    nn = None\n",
    ],
)
def test_an_import_that_would_rebind_a_name_is_refused(text: str) -> None:
    assert after(text, lambda s: AddImport("from torch import nn")) is None


def test_two_imports_stand_together() -> None:
    got = after(
        '"""Doc."""\n', lambda s: (AddImport("import a"), AddImport("import b"), AddImport("import a"))
    )
    assert got == '"""Doc."""\n\nimport a\nimport b\n'


ORPHANS: dict[str, tuple[str, str, str]] = {
    "the whole statement": ("import copy\nimport torch\n", "x = copy.copy(torch)", "import torch\n"),
    "one name of several": (
        "from torch import nn, optim  # both\n",
        "x = nn.Linear, optim.SGD",
        "from torch import nn  # both\n",
    ),
    "in a function": (
        "def f():\n    import gc\n    return torch\n",
        "gc.collect(); x = torch",
        "def f():\n    return torch\n",
    ),
    "a name that strings mention": ('from gc import collect\n__all__ = ["collect"]\n', "collect()", ""),
    "an annotation in a string": ('import gc\ndef f(x: "gc.X"): ...\n', "gc.collect()", ""),
    "an import that may fail": (
        "try:\n    import gc\nexcept ImportError:\n    gc = None\n",
        "gc.collect()",
        "",
    ),
    "another package": ("from utils import tidy\n", "tidy()", ""),
    "an import that was of no use before": ("import sys\nimport gc\n", "gc.collect()", "import sys\n"),
    "a comment stays": ("from gc import (\n    collect,  # why\n)\n", "collect()", "# why\n"),
}
"""The text that stays, the statement that a fix took from its end, and the text without unused imports."""


@pytest.mark.parametrize(("kept", "gone", "expected"), ORPHANS.values(), ids=ORPHANS)
def test_imports_that_a_fix_left_unused_go(kept: str, gone: str, expected: str) -> None:
    new = f"{kept}x = torch, nn\n"
    got = apply_edits(new, orphans(f"{new}{gone}\n", new, "t.py"))
    assert got == f"{expected or kept}x = torch, nn\n"
