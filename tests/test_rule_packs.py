"""Rule packs: what they find, what everything else makes of it, their examples, and packs that are wrong."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest

from memlint import packs
from memlint.__main__ import main
from memlint.errors import PackError
from memlint.packs import files
from memlint.packs.read import schema
from memlint.server import opened

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "rule-pack"
RULE = """\
code = "ACME001"
name = "own-writer"
severity = "warning"
summary = "torch.save is called"
why = "{why}"

[[match]]
api = ["torch.save"]
kind = "call"

[bad]
"plain" = '''
import torch
torch.save({}, "a.pt")  #! ACME001
'''

[good]
"other" = '''
import torch
torch.load("a.pt", map_location="cpu")
'''
"""
SAVE = 'import torch\n\ntorch.save({}, "a.pt")\n'


@pytest.fixture
def run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., SimpleNamespace]:
    """A command in a project with the pack lint and one script."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "lint").mkdir()
    (tmp_path / "lint" / "save.toml").write_text(RULE, encoding="utf-8")
    (tmp_path / "memlint.toml").write_text('rule-packs = ["lint"]\n', encoding="utf-8")
    (tmp_path / "train.py").write_text(SAVE, encoding="utf-8")

    def call(*arguments: str) -> SimpleNamespace:
        opened.forget()
        code = main(list(arguments))
        said = capsys.readouterr()
        return SimpleNamespace(code=code, out=said.out, err=said.err)

    return call


Run = Callable[..., SimpleNamespace]


def concise(run: Run, *arguments: str) -> list[str]:
    return run("check", "--output-format", "concise", *arguments).out.splitlines()


# --- what is found


def test_the_pack_of_the_examples_passes(run: Run) -> None:
    found = run("test-rules", str(EXAMPLE))
    assert (found.code, found.out) == (0, "All passed: 14 examples of 3 rules.\n")


def test_the_rule_of_the_documentation_passes(run: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "rule-packs.md").read_text(encoding="utf-8")
    rule = page.partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "page.toml").write_text(rule, encoding="utf-8")
    assert run("test-rules", "page.toml").out == "All passed: 2 examples of 1 rule.\n"


def matched(tmp_path: Path, match: str, code: str) -> list[int]:
    """The lines of a script that an entry reports; the rule's own examples are not run."""
    rule = re.sub(r"(?s)\[\[match\]\].*?\n\n", lambda _: f"[[match]]\n{match}\n\n", RULE)
    (tmp_path / "lint").mkdir(exist_ok=True)
    (tmp_path / "lint" / "save.toml").write_text(rule, encoding="utf-8")
    packs.forget()
    found = packs.rules((str(tmp_path / "lint"),))
    assert any(one.pack for one in found)
    from memlint.engine.check import Checks, check

    codes = frozenset({"ACME001"})
    report = check(code, "a.py", Checks(codes, codes, "a.py", packs=(str(tmp_path / "lint"),)))
    assert not report.failed
    return [finding.span.line for finding in report.findings]


READER = 'api = ["acme.Reader"]\nkind = "call"\narguments = [{ keyword = "n", position = 1, %s }]'
METHOD = 'api = ["acme.Reader"]\nkind = "method"\nmethod = "next"'
IMPORT = 'api = ["acme.old"]\nkind = "import"'
FOUND = {
    "equals": (
        READER % "equals = 0",
        "import acme\nacme.Reader(p, 0)\nacme.Reader(p, n=1)\nacme.Reader(p)\n",
        [2],
    ),
    "true is not one": (
        READER % "equals = 1",
        "import acme\nacme.Reader(p, True)\nacme.Reader(p, 1.0)\n",
        [3],
    ),
    "a name with one value": (READER % "equals = 0", "from acme import Reader\nN = 0\nReader(p, n=N)\n", [3]),
    "a name with two": (
        READER % "equals = 0",
        "from acme import Reader\nN = 0\nif x:\n    N = 1\nReader(p, n=N)\n",
        [],
    ),
    "one of texts": (
        READER % 'one-of = ["a", "b"]',
        "import acme\nacme.Reader(p, n='b')\nacme.Reader(p, n='c')\n",
        [2],
    ),
    "none of": (
        READER % "not-one-of = [4]",
        "import acme\nacme.Reader(p, 2)\nacme.Reader(p, 4)\nacme.Reader(p, k)\n",
        [2],
    ),
    "None": (READER % "none = true", "import acme\nacme.Reader(p, None)\nacme.Reader(p, 4)\n", [2]),
    "not given": (
        READER % "given = false",
        "import acme as a\na.Reader(p)\na.Reader(p, 1)\na.Reader(n=1)\na.Reader(*p)\na.Reader(**p)\n",
        [2],
    ),
    "given": (
        READER % "given = true",
        "import acme\nacme.Reader(p)\nacme.Reader(*p, 1)\nacme.Reader(p, 1)\n",
        [4],
    ),
    "aliases": (
        READER % "equals = 0",
        "import acme as a\nfrom acme import Reader as R\na.Reader(p, 0)\nR(p, 0)\n",
        [3, 4],
    ),
    "with and without arguments by name": (
        'api = ["acme.Reader"]\nkind = "call"\nwith-keyword = ["m", "n"]\nwithout-keyword = ["k"]',
        "import acme\nacme.Reader(n=1)\nacme.Reader(m=1)\nacme.Reader(1)\nacme.Reader(m=1, k=2)\n",
        [2, 3],
    ),
    "a star import": (READER % "equals = 0", "from acme import *\nReader(p, 0)\n", [2]),
    "a name of the file": (
        READER % "equals = 0",
        "from acme import *\ndef Reader(*a): ...\nReader(p, 0)\n",
        [],
    ),
    "an import in a function": (
        READER % "equals = 0",
        "def f():\n    from acme import Reader\n    Reader(p, 0)\nReader(p, 0)\n",
        [3],
    ),
    "method of a variable": (METHOD, "import acme\nr = acme.Reader(p)\nr.next()\n", [3]),
    "method in with": (METHOD, "import acme\nwith acme.Reader(p) as r:\n    r.next()\n", [3]),
    "method of what a function gives": (
        METHOD,
        "import acme\ndef make():\n    return acme.Reader(p)\nmake().next()\n",
        [4],
    ),
    "method of a parameter": (
        METHOD,
        "import acme\ndef f(r: acme.Reader, s):\n    r.next()\n    s.next()\n",
        [3],
    ),
    "method of one of two": (METHOD, "import acme\nr = acme.Reader(p) if p else open(q)\nr.next()\n", []),
    "import of a part": (
        IMPORT,
        "from acme.old.deep import x\nfrom acme import old\nimport acme.old\nimport acme.older\n",
        [1, 2, 3],
    ),
    "use without its own import": (IMPORT, "import acme\nacme.old.x()\nacme.new.x()\n", [2]),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_match_finds(tmp_path: Path, name: str) -> None:
    match, code, lines = FOUND[name]
    assert matched(tmp_path, match, code) == lines


def test_a_file_without_torch_is_checked_where_it_has_a_word_of_the_pack(run: Run, tmp_path: Path) -> None:
    rule = RULE.replace("torch.save", "acme.put").replace("import torch\n", "import acme\n")
    (tmp_path / "lint" / "save.toml").write_text(rule, encoding="utf-8")
    (tmp_path / "job.py").write_text("import acme\nacme.put({})\n", encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_job.py").write_text(
        "import acme\ndef test_put():\n    acme.put(1)\n", encoding="utf-8"
    )
    assert [line.partition(": ")[0] for line in concise(run)] == ["job.py:2:1", "tests/test_job.py:3:5"]
    assert [line.partition(": ")[0] for line in concise(run, "job.py")] == ["job.py:2:1"]


MODE = """\
api = ["acme.Reader"]
kind = "call"
arguments = [{ keyword = "mode", position = 1, %s }]
edit = { %s }"""
MOVED = 'api = ["acme.io.put"]\nedit = { rename = "acme.store.put" }'
FIXED = {
    "a name as a value is imported": (
        MODE % ("given = false", 'add-keyword = { mode = "acme.modes.FAST" }'),
        "from acme import Reader\nReader(p)\n",
        "from acme import Reader\nimport acme.modes\nReader(p, mode=acme.modes.FAST)\n",
    ),
    "no fix where something else has the package's name": (
        MODE % ("given = false", 'add-keyword = { mode = "acme.modes.FAST" }'),
        "from acme import Reader\nacme = 1\nReader(p)\n",
        "from acme import Reader\nacme = 1\nReader(p)\n",
    ),
    "an argument goes, over several lines": (
        MODE % ("given = true", 'drop-keyword = ["mode"]'),
        "import acme\nacme.Reader(\n    p,\n    mode='slow',\n)\n",
        "import acme\nacme.Reader(\n    p,\n)\n",
    ),
    "what stands before others by position stays": (
        MODE % ("given = true", 'drop-keyword = ["mode"]'),
        "import acme\nacme.Reader(p, 'slow', 3)\n",
        "import acme\nacme.Reader(p, 'slow', 3)\n",
    ),
    "another value by position": (
        MODE % ('equals = "slow"', "set-keyword = { mode = '\"fast\"' }"),
        "import acme\nacme.Reader(p, 'slow', *rest)\nacme.Reader(p, 'slow', 3)\n",
        "import acme\nacme.Reader(p, 'slow', *rest)\nacme.Reader(p, \"fast\", 3)\n",
    ),
    "a new name is imported": (
        MOVED,
        "import acme.io\nacme.io.put(1)\n",
        "import acme.io\nimport acme.store\nacme.store.put(1)\n",
    ),
    "an import follows, with its alias": (
        MOVED,
        "from acme.io import get, put as p\nget(p(1))\n",
        "from acme.io import get\nfrom acme.store import put as p\nget(p(1))\n",
    ),
    "a name that is handed out stays": (
        MOVED,
        "from acme.io import put\n__all__ = ['put']\n",
        "from acme.io import put\n__all__ = ['put']\n",
    ),
}


@pytest.mark.parametrize("name", FIXED)
def test_a_fix_gives(run: Run, tmp_path: Path, name: str) -> None:
    match, before, after = FIXED[name]
    matched(tmp_path, match, before)
    (tmp_path / "job.py").write_text(before, encoding="utf-8")
    run("check", "job.py", "--fix", "--unsafe-fixes")
    assert (tmp_path / "job.py").read_text(encoding="utf-8") == after


# --- what follows by itself


def test_selection_and_suppression(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        'import torch\ntorch.save(1, "a")\ntorch.save(2, "b")  # noqa: ACME001\n'
        'torch.save(3, "c")  # memlint: ignore[ACME001] wanted\nx = 1  # memlint: ignore[ACME009]\n',
        encoding="utf-8",
    )
    found = concise(run)
    assert [line.split(": ")[1:] for line in found] == [
        ["warning", "ACME001 torch.save is called"],
        ["warning", "MEM003 suppression has no effect", "no rule has the code `ACME009`"],
    ]
    assert len(concise(run, "--select", "ACME")) == len(concise(run, "--select", "own-writer")) == 1
    assert len(concise(run, "--select", "training")) == 2
    assert concise(run, "--ignore", "ACME001,MEM003") == []
    assert "did you mean ACME001?" in run("check", "--select", "ACME002").err
    (tmp_path / "memlint.toml").write_text(
        'rule-packs = ["lint"]\nper-file-ignores = { "train.py" = ["ACME"] }\n', encoding="utf-8"
    )
    assert len(concise(run)) == 1
    (tmp_path / "memlint.toml").write_text('select = ["ACME"]\n', encoding="utf-8")
    assert "memlint.toml: `select`: unknown rule selector `ACME`" in run("check").err
    assert len(concise(run, "--rule-pack", "lint")) == 1


def test_reports_and_pages_name_the_pack(run: Run) -> None:
    finding = json.loads(run("check", "--output-format", "json").out)["findings"][0]
    assert (finding["code"], finding["pack"], finding["url"], finding["claim"]) == (
        "ACME001",
        "lint",
        "",
        None,
    )
    sarif = json.loads(run("check", "--output-format", "sarif").out)["runs"][0]
    (rule,) = sarif["tool"]["driver"]["rules"]
    assert (rule["id"], sarif["results"][0]["ruleIndex"]) == ("ACME001", 0)
    page = run("rule", "ACME001").out
    assert "torch.save is called" in page
    assert "lint" in page
    assert "ACME001" in run("rule", "--all").out
    assert json.loads(run("rule", "ACME001", "--output-format", "json").out)[0]["pack"] == "lint"


def test_a_rule_is_explained_where_settings_are_wrong(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lint" / "save.toml").write_text("x", encoding="utf-8")
    told = run("rule", "MEM101")
    assert told.out.startswith("MEM101 loss-graph-accumulation")
    said = "memlint: warning: rules of packs are left out: lint/save.toml:1: malformed TOML"
    assert told.err.startswith(said)
    assert run("rule", "MEM101", "--rule-pack", "lint").code == 2


def test_a_cached_result_is_dropped_with_its_rule(run: Run, tmp_path: Path) -> None:
    assert "{why}" in run("check").out
    (tmp_path / "lint" / "save.toml").write_text(RULE.replace("{why}", "another reason"), encoding="utf-8")
    assert "another reason" in run("check").out


def test_versions_that_a_project_pins(run: Run, tmp_path: Path) -> None:
    rule = RULE.replace("\n[[match]]", 'requires = { acme-lib = ">=2,<4" }\n\n[[match]]')
    (tmp_path / "lint" / "save.toml").write_text(rule, encoding="utf-8")
    assert len(concise(run)) == 1
    (tmp_path / "requirements.txt").write_text("Acme_Lib==3.1\n", encoding="utf-8")
    told = json.loads(run("check", "--output-format", "json").out)["findings"][0]
    assert told["notes"][-1]["text"] == (
        "holds for acme-lib 2 or newer and below 4; the project has 3.1 (requirements.txt:1)"
    )
    assert told["requires"][0]["package"] == "acme-lib"
    (tmp_path / "requirements.txt").write_text("acme-lib==4.0\n", encoding="utf-8")
    assert concise(run) == []


def test_each_folder_has_its_own_packs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "memlint.toml").write_text("advice = false\n", encoding="utf-8")
    (tmp_path / "other" / "a.py").write_text(SAVE, encoding="utf-8")
    assert [line.partition(":")[0] for line in concise(run)] == ["train.py"]


def test_the_language_server(run: Run, tmp_path: Path) -> None:
    opened.forget()
    path = str(tmp_path / "train.py")
    assert [f.code for f in opened.examine(path, SAVE, 1).findings] == ["ACME001"]
    (tmp_path / "lint" / "save.toml").write_text(
        RULE.replace('"torch.save"]', '"torch.load"]'), encoding="utf-8"
    )
    opened.forget()
    assert opened.examine(path, SAVE, 2).findings == ()


def test_an_installed_pack_is_found_and_not_imported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    (site / "acme" / "memlint_rules").mkdir(parents=True)
    for folder in ("acme", "acme/memlint_rules"):
        (site / folder / "__init__.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    (site / "acme" / "memlint_rules" / "a.toml").write_text(RULE, encoding="utf-8")
    info = site / "acme-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[memlint.rules]\nacme = acme.memlint_rules\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    files.installed.cache_clear()
    (tmp_path / "memlint.toml").write_text('rule-packs = ["acme"]\n', encoding="utf-8")
    assert [line.split(":")[0] for line in concise(run)] == ["train.py"]
    assert run("test-rules", "acme").out == "All passed: 2 examples of 1 rule.\n"
    assert "acme" not in sys.modules
    (tmp_path / "memlint.toml").write_text('rule-packs = ["acne"]\n', encoding="utf-8")
    failed = run("check")
    assert failed.code == 2
    assert "memlint.toml: there is no rule pack acne, and no installed package offers one" in failed.err
    assert "installed: acme; correct the path" in failed.err
    files.installed.cache_clear()


# --- examples


def test_examples_that_fail_say_where_and_why(run: Run, tmp_path: Path) -> None:
    rule = RULE.replace('torch.load("a.pt", map_location="cpu")', 'torch.save({}, "a.pt")').replace(
        "[good]",
        "\"odd\" = '''\nimport torch\nprint(1)  #! ACME001\n"
        "torch.save({}, \"a\")  #! ACME001 error\n'''\n[good]",
    )
    (tmp_path / "lint" / "save.toml").write_text(rule, encoding="utf-8")
    found = run("test-rules")
    assert found.code == 1
    assert found.out.splitlines() == [
        'lint/save.toml:17: ACME001 bad "odd": line 2: not reported: print(1)  #! ACME001',
        'lint/save.toml:17: ACME001 bad "odd": line 3: reported as warning, marked as error',
        'lint/save.toml:23: ACME001 good "other": line 2: reported: torch.save is called',
        "2 of 3 examples of 1 rule failed.",
    ]


def test_a_fix_that_gives_other_text_fails(run: Run, tmp_path: Path) -> None:
    text = (EXAMPLE / "ACME003-imports-of-legacy.toml").read_text(encoding="utf-8")
    (tmp_path / "a.toml").write_text(
        text.replace("+import acme.compat", "+import acme.other"), encoding="utf-8"
    )
    found = run("test-rules", "a.toml")
    assert found.code == 1
    assert "line 1 after the fix: `import acme.compat`, expected `import acme.other`" in found.out


def test_without_a_pack_there_is_nothing_to_test(run: Run) -> None:
    assert (run("test-rules", "--isolated").code, run("test-rules", "nowhere").code) == (2, 2)


def test_the_schema_takes_the_example_pack_and_is_printed(run: Run) -> None:
    import tomli

    printed = json.loads(run("test-rules", "--schema").out)
    jsonschema.Draft7Validator.check_schema(printed)
    for path in EXAMPLE.glob("*.toml"):
        data = tomli.loads(path.read_text(encoding="utf-8"))
        assert list(jsonschema.Draft7Validator(printed).iter_errors(data)) == []


def test_both_schemas_agree_on_what_they_share() -> None:
    own = json.loads((ROOT / "rules" / "_schema.json").read_text(encoding="utf-8"))
    ours, theirs = schema()["$defs"], own["$defs"]
    assert set(ours["match"]["properties"]) - set(theirs["match"]["properties"]) == {
        *("method", "arguments", "severity", "message", "why", "help")
    }
    edits = set(theirs["match"]["properties"]["edit"]["properties"])
    assert set(ours["edit"]["properties"]) - edits == {"title", "rename-method", "set-keyword"}


# --- packs that are wrong

WRONG = {
    "own prefix": ("ACME001", "MEM950", ":1: the prefix MEM is that of memlint"),
    "preset": ("ACME001", "TRAINING001", ":1: the prefix TRAINING is that of memlint"),
    "no code": ('code = "ACME001"', 'code = "acme-1"', ":1: `code` cannot be 'acme-1'"),
    "name": ('"own-writer"', '"save-view"', ":2: `save-view` is the name of memlint's MEM703"),
    "severity": ('"warning"', '"fatal"', ":3: `severity` must be one of error, warning, advice"),
    "type": ('why = "{why}"', "why = 3", ":5: `why` must be a string, not a number"),
    "key": (
        "[[match]]",
        "serverity = 1\n\n[[match]]",
        ":7: `serverity` is no key that memlint knows here (did you mean `severity`?)",
    ),
    "missing": ('summary = "torch.save is called"\n', "", ":1: `summary` is missing"),
    "kind": (
        'kind = "call"',
        'kind = "calls"',
        ":9: `match[1].kind` must be one of reference, call, method, import",
    ),
    "api": ('["torch.save"]', '["torch.save()"]', ":8: `match[1].api[1]` cannot be 'torch.save()'"),
    "method": ('kind = "call"', 'kind = "method"', ':7: `match[1]` has `method` for kind = "method"'),
    "placeholder": (
        "why =",
        'message = "{api.__class__}"\nwhy =',
        ":5: `message` cannot have {api.__class__}",
    ),
    "width": ("why =", 'message = "{api:>999999999}"\nwhy =', ":5: `message` cannot have {api}"),
    "brace": ("why =", 'message = "{api"\nwhy =', ":5: `message` has braces that do not fit"),
    "two conditions": (
        'kind = "call"',
        'kind = "call"\narguments = [{ keyword = "f", given = true, none = true }]',
        ":10: `match[1].arguments[1]` asks for two things",
    ),
    "code in a fix": (
        'kind = "call"',
        "kind = \"call\"\nedit = { add-keyword = { f = \"__import__('os').system('x')\" } }",
        ":10: `match[1].edit` cannot write",
    ),
    "empty edit": (
        'kind = "call"',
        'kind = "call"\nedit = { applicability = "safe" }',
        ":10: `match[1].edit` changes nothing",
    ),
    "class member": (
        'kind = "call"',
        'edit = { rename = "acme.Store.save" }',
        ":9: `match[1].edit.rename` names a part of a class",
    ),
    "no mark": ("  #! ACME001", "", ":12: `bad.plain` marks no line"),
    "marked good": ('"cpu")', '"cpu")  #! ACME001', ":18: `good.other` marks a line"),
    "escape sequence": ("{why}", "\\u001b[31mred", ":5: `why` has the control character U+001B"),
    "turned text": ("{why}", "\\u202eevil", ":5: `why` has the control character U+202E"),
    "escape in an example": ("torch.save({}", "'\x1b[2J'; torch.save({}", ":14: malformed TOML"),
    "deep": ("why =", "x = " + "[" * 100_000 + "\nwhy =", ":1: nested too deeply"),
    "long": ("{why}", "x" * 5000, ":5: `why` has 5000 characters, 1000 at most are allowed"),
    "huge": ("[good]", "[good]\n" + "#" * 300_000 + "\n", ": larger than 256 KiB"),
    "many": (
        '["torch.save"]',
        str([f"a.b{n}" for n in range(600)]).replace("'", '"'),
        ":8: `match[1].api` has 600 entries",
    ),
    "broken": ("[[match]]", "[[match]", ":7: malformed TOML"),
    "key of memlint's own rules": (
        "[[match]]",
        'gate = [["torch"]]\n[[match]]',
        ":7: `gate` is no key that memlint knows here (leave it out: it follows from",
    ),
    "many keys": (
        "[[match]]",
        "".join(f"k{n} = 1\n" for n in range(20_000)) + "[[match]]",
        ":7: `k0` is no key that memlint knows here (known: code",
    ),
    "long number": ("[[match]]", "x = " + "1" * 5000 + "\n[[match]]", ":"),
    "requirement": (
        "[[match]]",
        'requires = { acme = "~3" }\n[[match]]',
        ":7: `requires.acme` cannot be '~3'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_pack_is_one_line_with_its_place(run: Run, tmp_path: Path, name: str) -> None:
    old, new, said = WRONG[name]
    assert old in RULE
    (tmp_path / "lint" / "save.toml").write_text(RULE.replace(old, new), encoding="utf-8")
    failed = run("check")
    assert failed.code == 2
    assert failed.out == ""
    (line,) = failed.err.splitlines()
    assert line.startswith(f"memlint: error: lint/save.toml{said}")
    assert len(line) < 400
    assert line.isprintable()


def test_packs_share_neither_codes_nor_prefixes_nor_names(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for old, new, said in (
        ("ACME001", "ACME002", "other/a.toml:1: the prefix ACME is that of lint"),
        ("ACME001", "AC001", "other/a.toml:2: `own-writer` is the name of ACME001 in lint/save.toml"),
    ):
        (other / "a.toml").write_text(RULE.replace(old, new), encoding="utf-8")
        assert said in run("check", "--rule-pack", "other").err
    (tmp_path / "lint" / "b.toml").write_text(RULE, encoding="utf-8")
    assert "lint/save.toml:1: ACME001 is in lint/b.toml too" in run("check").err


def test_what_is_no_pack(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "empty: no rules in this folder" in run("check", "--rule-pack", "empty").err
    (tmp_path / "lint" / "latin.toml").write_bytes(b"# \xe4\n")
    assert "lint/latin.toml:1: not UTF-8" in run("check").err
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "lint" / "a.toml")
        with pytest.raises(PackError, match="is no file"):
            files.files_of(str(tmp_path / "lint"))
