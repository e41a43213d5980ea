"""What the engine does around the rules: scopes in fingerprints, the collector, comments of others."""

from __future__ import annotations

import gc
from inspect import cleandoc

import pytest

from memlint import catalogue
from memlint.engine import check as engine
from memlint.engine import suppress
from memlint.finding import FileReport

CODES = frozenset(rule.code for rule in catalogue.load())
CHECKS = engine.Checks(CODES, frozenset(), "t.py")

LEAK = cleandoc("""
    import torch

    def train(model, loader, optimizer):
        total = 0
        for x, y in loader:
            optimizer.zero_grad()
            loss = model(x, y)
            loss.backward()
            optimizer.step()
            total += loss
        return float(total)
""")


def check(text: str) -> FileReport:
    return engine.check(text, "t.py", CHECKS)


@pytest.mark.parametrize("active", [True, False])
def test_the_collector_is_left_as_it_was(active: bool) -> None:
    before = gc.isenabled()
    (gc.enable if active else gc.disable)()
    try:
        assert [f.code for f in check(LEAK).findings] == ["MEM101"]
        assert gc.isenabled() is active
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("print(out.shape)", "`out` is read again, in `print(out.shape)`"),
        ("show = lambda: out", "`out` is read by code that may run at another time"),
        ("print(locals())", "code around it may read variables by other means than their names"),
        ("pass  # memlint: ignore[MEM108]", "the statement carries a suppression comment"),
        ("pass", ""),
    ],
)
def test_where_no_fix_is_offered_the_finding_says_why(line: str, reason: str) -> None:
    step = f"loss.backward()  {line.removeprefix('pass')}" if "ignore" in line else f"loss.backward(); {line}"
    text = (
        "import torch.nn.functional as F\n\ndef train(unet, loader, opt):\n    for x, y in loader:\n"
        "        out = unet(x)\n        loss = F.cross_entropy(out, y)\n        opt.zero_grad()\n"
        f"        {step}\n        opt.step()\n"
    ).replace("; ", "\n        ")
    checks = engine.Checks(frozenset({"MEM112"}), frozenset({"MEM112"}), "t.py")
    (found,) = engine.check(text, "t.py", checks).findings
    said = [note.text for note in found.notes if note.kind == "note"]
    assert said == ([f"no fix is offered: {reason}"] if reason else [])
    assert (found.fix is None) == bool(reason)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("opt.zero_grad(); loss.backward(); opt.step()",), "other statements stand on its line"),
        (("print(opt)", "opt.zero_grad()", "loss.backward()", "opt.step()"), "other code between the two"),
        (("opt.zero_grad()", "loss.backward()", "opt.step()"), ""),
    ],
)
def test_a_late_zero_grad_that_stays_says_why(lines: tuple[str, ...], reason: str) -> None:
    text = "import torch\n\ndef train(net, loader):\n    opt = torch.optim.SGD(net.parameters(), 0.1)\n"
    text += "    for x in loader:\n        loss = net(x).mean()\n" + "".join(f"        {x}\n" for x in lines)
    checks = engine.Checks(frozenset({"MEM122"}), frozenset({"MEM122"}), "t.py")
    found = [f for f in engine.check(text, "t.py", checks).findings if "zero_grad" in f.message]
    said = [note.text for f in found for note in f.notes if note.kind == "note"]
    assert [text.startswith(f"no fix is offered: {reason}") for text in said] == ([True] if reason else [])


@pytest.mark.parametrize(
    ("before", "given", "reason"),
    [
        ("", "map_location=place", "callers may choose the device with `place`"),
        (
            "\n    here = None if torch.cuda.is_available() else 'cpu'",
            "map_location=here",
            "nothing else reads `here`",
        ),
        ("", "weights_only=True", ""),
    ],
)
def test_a_place_that_others_choose_stays_and_says_why(before: str, given: str, reason: str) -> None:
    text = (
        f"import torch\n\ndef resume(net, place=None):\n    net.cuda(){before}\n"
        f"    net.load_state_dict(torch.load('net.pt', {given}))\n\nresume(torch.nn.Linear(2, 2))\n"
    )
    checks = engine.Checks(frozenset({"MEM701"}), frozenset({"MEM701"}), "t.py")
    (found,) = engine.check(text, "t.py", checks).findings
    said = [note.text for note in found.notes if note.kind == "note"]
    assert said == ([f"no fix is offered: {reason}"] if reason else [])
    assert (found.fix is None) == bool(reason)


def test_a_fingerprint_holds_the_function_and_survives_a_move() -> None:
    first = check(LEAK).findings[0].fingerprint
    assert check(LEAK.replace("import torch", "import os\n\nimport torch")).findings[0].fingerprint == first
    assert check(LEAK.replace("def train", "def learn")).findings[0].fingerprint != first


@pytest.mark.parametrize(
    "block",
    ["if a:\n{}", "try:\n    a\nexcept E:\n{}", "try:\n    a\nfinally:\n{}", "match a:\n    case 1:\n    {}"],
)
def test_a_fingerprint_holds_a_function_of_any_block(block: str) -> None:
    def nested(name: str) -> str:
        _, _, body = LEAK.partition("\n\n")
        indent = "        " if "match" in block else "    "
        lines = "\n".join(indent + line for line in body.replace("train", name).splitlines())
        return "import torch\n" + block.replace("    {}", "{}").format(lines)

    one, other = check(nested("train")).findings, check(nested("learn")).findings
    assert len(one) == len(other) == 1
    assert one[0].fingerprint != other[0].fingerprint


def test_a_long_chain_of_elifs_around_a_finding_is_no_problem() -> None:
    chain = "if a == 0:\n    pass\n" + "".join(f"elif a == {n}:\n    pass\n" for n in range(1, 120))
    assert [f.code for f in check(f"{LEAK}\n{chain}").findings] == ["MEM101"]


@pytest.mark.parametrize(
    ("comment", "count"),
    [
        ("# noqa", 0),
        ("# noqa: E501", 0),
        ("# NOQA:F401, mem101", 1),
        ("#memlint:ignore[MEM101]", 1),
        ("# why # memlint: ignore[MEM101]", 1),
        ('"# memlint: ignore[MEM101]"', 0),
    ],
)
def test_only_comments_that_speak_to_memlint_are_collected(comment: str, count: int) -> None:
    text = f"a  {comment}\n" if comment[0] == "#" else f"a = {comment}\n"
    assert len(suppress.collect(text, None, catalogue.load())) == count
