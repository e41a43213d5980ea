"""Bytes as people read them: one form everywhere."""

from __future__ import annotations

import pytest

from memlint.units import change, size

MIB = 1 << 20


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KiB"),
        (4_358_288, "4.156 MiB"),
        (80 * MIB, "80 MiB"),
        (-3 * MIB, "-3 MiB"),
        (140 << 30, "140 GiB"),
        (3 << 40, "3 TiB"),
    ],
)
def test_four_digits_and_a_binary_unit(count: int, said: str) -> None:
    assert size(count) == said


def test_a_change_too_small_for_four_digits_is_said_in_bytes() -> None:
    assert change(4_358_288, 3_229_836) == "4.156 MiB to 3.08 MiB"
    assert change(MIB, MIB) == "1 MiB to 1 MiB"
    assert change(40 * MIB, 40 * MIB + 96) == "41,943,040 B to 41,943,136 B"
