"""The patterns of the knowledge modules: compiled late, all of them sound."""

import importlib
import pkgutil
import re
import sys

import pytest

from memlint.analysis import knowledge
from memlint.analysis.knowledge.patterns import _Pattern, pattern


def test_a_pattern_is_compiled_when_it_is_asked() -> None:
    word = pattern(r"(net)_(\d)", re.IGNORECASE)
    assert "search" not in vars(word)
    assert word.search("a NET_1")
    assert "search" in vars(word)
    assert word.sub("x", "Net_2") == "x"
    assert word.pattern == r"(net)_(\d)"


def test_every_pattern_compiles() -> None:
    names = [module.name for module in pkgutil.iter_modules(knowledge.__path__, f"{knowledge.__name__}.")]
    found = [value for name in names for value in vars(importlib.import_module(name)).values()]
    patterns = [value for value in found if type(value) is _Pattern]
    assert len(patterns) > 150
    assert all(isinstance(re.compile(p._text, p._flags), re.Pattern) for p in patterns)


def test_a_broken_pattern_is_told_when_asked() -> None:
    with pytest.raises(re.error):
        pattern("(").search("")


def test_nothing_is_compiled_by_an_import() -> None:
    naming = sys.modules.pop("memlint.analysis.knowledge.naming", None)
    try:
        fresh = importlib.import_module("memlint.analysis.knowledge.naming")
        assert not any("search" in vars(p) for p in vars(fresh).values() if type(p) is _Pattern)
    finally:
        if naming is not None:
            sys.modules["memlint.analysis.knowledge.naming"] = naming
