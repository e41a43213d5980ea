"""Which edited scripts are run beside the original, and when their losses count as changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memlint.finding import Applicability, Finding
from memlint.runtime.parent.counterfactual import Combine, all_but, first_difference, variants
from memlint.session import Arm, Peak
from tests.runtime.support import combined, finding, script

TEXT = "a = 1\nb = 2\nc = 3\n"


def combine_all(found: list[Finding]) -> Combine:
    def combine(path: str, text: str, unsafe: bool, without: frozenset[str]) -> str:
        return combined([f for f in found if f.fingerprint not in without], text, unsafe)

    return combine


def made(path: Path, found: list[Finding]) -> list[tuple[str, bool, tuple[int, ...]]]:
    result = variants(found, {path.name: TEXT}, combine_all(found))
    return [(variant.name, variant.safe, variant.findings) for variant in result]


def test_one_arm_per_fix_and_the_combinations_that_differ(tmp_path: Path) -> None:
    path = script(tmp_path, TEXT)
    safe = [
        finding(path, "MEM101", "PEAK", "a = 1", "a = 4"),
        finding(path, "MEM102", "PEAK", "b = 2", "b = 5"),
    ]
    unsafe = finding(path, "MEM103", "PEAK", "c = 3", "c = 6", applicability=Applicability.UNSAFE)
    assert made(path, safe[:1]) == [("fix-1", True, (0,))]
    assert made(path, [*safe, unsafe]) == [
        ("fix-1", True, (0,)),
        ("fix-2", True, (1,)),
        ("fix-3", False, (2,)),
        ("safe", True, ()),
        ("all", False, ()),
    ]


def test_a_fix_that_nobody_wants_has_no_arm(tmp_path: Path) -> None:
    path = script(tmp_path, TEXT)
    one = finding(path, "MEM101", "PEAK", "a = 1", "a = 4")
    other = finding(path, "MEM102", "PEAK", "b = 2", "b = 5")
    texts = {path.name: TEXT}
    found = variants([one, other], texts, combine_all([one]), lambda finding: finding is one)
    assert [(variant.name, variant.findings) for variant in found] == [("fix-1", (0,))]


def test_equal_fixes_share_an_arm_and_no_fix_has_none(tmp_path: Path) -> None:
    path = script(tmp_path, TEXT)
    one = finding(path, "MEM101", "PEAK", "a = 1", "a = 4")
    bare = finding(path, "MEM103", "PEAK", "c = 3")
    shown = finding(path, "MEM104", "PEAK", "c = 3", "c = 6", applicability=Applicability.DISPLAY)
    found = variants(
        [one, replace(one, code="MEM102"), bare, shown],
        {path.name: TEXT},
        lambda path, text, unsafe, without: text,
    )
    assert [(variant.name, variant.findings) for variant in found] == [("fix-1", (0, 1))]


def test_a_fix_that_does_not_compile_is_not_run(tmp_path: Path) -> None:
    path = script(tmp_path, TEXT)
    broken = finding(path, "MEM101", "PEAK", "a = 1", "a = = 1")
    (variant,) = variants([broken], {path.name: TEXT}, lambda path, text, unsafe, without: text)
    assert "does not compile" in variant.problem


def losses(*values: float, stopped: str = "the script ended") -> Arm:
    hexed = tuple(value.hex() for value in values)
    return Arm("x", "", "tracker", "cpu", stopped, 1.0, Peak(0, "setup", 0, 0), losses=hexed)


def test_one_bit_of_one_loss_is_a_difference() -> None:
    one = losses(1.0, 2.0)
    assert first_difference(one, one, losses(1.0, 2.0)) == ""
    assert "loss 2 is 2.0000000000000004" in first_difference(one, one, losses(1.0, 2.0000000000000004))
    assert first_difference(one, one, losses(1.0)) == "1 losses instead of 2"


def test_a_run_cut_short_and_a_script_that_varies_prove_nothing() -> None:
    one = losses(1.0, 2.0)
    assert first_difference(one, one, losses(1.0, stopped="time limit of 5 s")) == ""
    assert first_difference(one, losses(1.0, 3.0), losses(1.0, 4.0)) == ""


def test_one_fix_can_be_left_out_of_the_others(tmp_path: Path) -> None:
    path = script(tmp_path, TEXT)
    found = [
        finding(path, "MEM101", "PEAK", "a = 1", "a = 4"),
        finding(path, "MEM102", "PEAK", "b = 2", "b = 5"),
        finding(path, "MEM103", "PEAK", "c = 3", "c = 6", applicability=Applicability.UNSAFE),
    ]
    texts = {path.name: TEXT}
    first, _, third, safe, everything = variants(found, texts, combine_all(found))
    but = all_but(first, everything, found, texts, combine_all(found))
    assert but is not None
    assert (but.name, but.safe) == ("all-but-1", False)
    assert but.overlay == ((path.name, "a = 1\nb = 5\nc = 6\n"),)
    assert but.title == f"all fixes but that of {path.name}:1"
    assert all_but(third, safe, found, texts, combine_all(found)) is None
