"""The tree of modules as rows of a terminal."""

from __future__ import annotations

from memlint.report.fit.tree import rows_of
from memlint.session import Branch


def test_lists_of_modules_take_no_level_and_a_class_is_named_once() -> None:
    """The blocks of a GPT are what its memory is in: three levels of modules above them hide nothing."""
    tree = [Branch("GPT", "GPT"), Branch("GPT.parts", "ModuleDict", 1)]
    tree.append(Branch("GPT.parts.h", "ModuleList", 2))
    for number in range(3):
        block = f"GPT.parts.h.{number}"
        tree += [Branch(block, "Block", 3), Branch(f"{block}.mlp", "MLP", 4, activations=100)]
        tree += [Branch(f"{block}.mlp.up", "Linear", 5, parameters=50)]
    tree.append(Branch("", "", activations=7))
    found = rows_of(tree, 500)
    rows = [("  " * row.depth + f"{row.name} {row.kind}".rstrip(), row.columns[0]) for row in found]
    assert rows == [
        ("GPT", 450),
        ("  parts ModuleDict", 450),
        ("    h ModuleList", 450),
        ("      0 to 2 Block x 3", 450),
        ("        mlp MLP", 450),
        ("in no module", 7),
        ("temporaries, batches", 43),
    ]


def test_what_is_left_out_is_a_row_so_that_rows_add_up_to_the_peak() -> None:
    tree = [Branch("net", "Net", activations=990), Branch("gate", "Linear", parameters=4), Branch("", "")]
    assert [(row.name, row.columns[0]) for row in rows_of(tree, 1000)] == [
        ("net", 990), ("smaller modules", 4), ("temporaries, batches", 6),
    ]  # fmt: skip
