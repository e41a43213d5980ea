"""Real scripts that were changed at random: whatever came of them, memlint's answer holds together."""

from __future__ import annotations

import io
import random
import tokenize
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz import mutations
from benchmarks.fuzz.properties import broken
from memlint.__main__ import main
from tests.command import LEAK
from tests.test_no_crash import HEAD

SCRIPTS = mutations.scripts(6000)
WORDS = "model loader loss optimizer x total rows torch self scaler criterion net epoch step backward".split()

# A text that fails is shown as it is: to shrink a seed leads nowhere.
WHOLE = [Phase.explicit, Phase.reuse, Phase.generate]
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def changed(seed: int, count: int) -> str:
    pick = random.Random(seed)
    one, other = (pick.choice(SCRIPTS).read_text(encoding="utf-8") for _ in range(2))
    return mutations.mutated(one, pick, other, count)


@settings(max_examples=12, deadline=None, derandomize=True, phases=WHOLE, suppress_health_check=SLOW)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_what_must_hold_of_every_answer_holds_of_changed_scripts(seed: int, count: int) -> None:
    """No crash, places inside the file, edits that apply, fixes that settle, comments kept, and suppressions
    that silence one finding: `benchmarks/fuzz/properties.py`."""
    text = changed(seed, count)
    assert broken(text) == [], text


def test_the_properties_see_what_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    from memlint.edit import ignores
    from memlint.finding import Edit, Span

    # A comment that names another rule.
    wrong = Edit(Span(1, 1, 1, 1), "# memlint: ignore[MEM901]\n")
    monkeypatch.setattr(ignores, "_edit", lambda *given: wrong)
    text = f"{HEAD}for x in loader:\n    loss = net(x).mean()\n    loss.backward()\n    total += loss\n"
    assert any("is still there" in said or "brings up" in said for said in broken(text))


@settings(max_examples=5, deadline=None, derandomize=True, phases=WHOLE, suppress_health_check=SLOW)
@given(st.data())
def test_any_grammar_with_the_words_of_training_is_answered(data: st.DataObject) -> None:
    """Programs of hypothesmith use all of Python's grammar; their names become those of a training script."""
    hypothesmith = pytest.importorskip("hypothesmith", reason="is in the extra [dev]")
    text = data.draw(hypothesmith.from_grammar(auto_target=False))
    pick = random.Random(data.draw(st.integers(0, 2**32)))
    text = HEAD + _renamed(text, pick)
    if mutations.compiles(text):
        assert broken(text) == [], text


def _renamed(text: str, pick: random.Random) -> str:
    known: dict[str, str] = {}
    lines = text.split("\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    for token in reversed(tokens):
        if token.type == tokenize.NAME and not mutations.keyword.iskeyword(token.string):
            (row, begin), (_, end) = token.start, token.end
            name = known.setdefault(token.string, pick.choice(WORDS))
            lines[row - 1] = lines[row - 1][:begin] + name + lines[row - 1][end:]
    return "\n".join(lines)


def test_one_process_many_and_a_warm_cache_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("[project]\nname = 'p'\nversion = '0'\n", encoding="utf-8")
    for seed in range(10):
        text = changed(seed, 4)
        Path(f"train_{seed}.py").write_text(text, encoding="utf-8", newline="")
    # Whatever the changes have left of other findings, these are found.
    for name in ("one", "two", "three"):
        Path(f"{name}.py").write_text(LEAK, encoding="utf-8")
    arguments = ["check", ".", "--select", "ALL", "--output-format", "json"]

    def said(*more: str) -> str:
        assert main([*arguments, *more]) == 1
        out, err = capsys.readouterr()
        assert err == ""
        return out

    one = said("-j1", "--no-cache")
    assert said("-j3", "--no-cache") == one
    assert said("-j2") == one
    assert said("-j1") == one
    assert one.count('"fingerprint"') >= 3


def test_what_libcst_cannot_read_is_named() -> None:
    """libcst 1.9 refuses a method indented by spaces behind a body indented by tabs; Python does not."""
    text = "import torch\nclass A:\n  def f(x):\n\t\t\t\tx = 1\n\t\t\t\treturn x\n  def g(x):\n    pass\n"
    compile(text, "train.py", "exec")
    assert broken(text) == []
