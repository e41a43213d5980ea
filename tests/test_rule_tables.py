"""The tables of API names agree with the torch that is installed."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from memlint import catalogue

torch = pytest.importorskip("torch", reason="the tables are compared with an installed torch")

MISSING = [
    (entry, api.removesuffix(".*"))
    for entry in catalogue.find("MEM902")[0].matches
    for api in entry["api"]
    if entry.get("kind") in ("import", "reference")
]
MODULES = [e for e in catalogue.find("MEM902")[0].matches if e.get("kind") == "import-module"]
DEPRECATED = [(entry, api) for entry in catalogue.find("MEM903")[0].matches for api in entry["api"]]


def name_only(value: object) -> str:
    """The part of a test's name for one parameter: the API's own name, nothing for its table."""
    return value if isinstance(value, str) else ""


def resolve(name: str) -> Any:
    """The object behind a dotted name.

    Raises:
        AttributeError, ModuleNotFoundError: there is none.
    """
    parts = name.split(".")
    found = importlib.import_module(parts[0])
    for number, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[:number]))
        found = getattr(found, part)
    return found


@pytest.mark.parametrize(("entry", "api"), MISSING, ids=name_only)
def test_names_called_nonexistent_do_not_exist(entry: dict[str, Any], api: str) -> None:
    with pytest.raises((AttributeError, ModuleNotFoundError)):
        resolve(api)
    if rename := entry.get("edit", {}).get("rename"):
        assert callable(resolve(rename))


@pytest.mark.parametrize("entry", MODULES, ids=lambda entry: entry["api"][0])
def test_names_called_no_modules_are_members_that_the_new_import_finds(entry: dict[str, Any]) -> None:
    (api,) = entry["api"]
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(api)
    names: dict[str, Any] = {}
    exec(entry["edit"]["import-form"].format(alias="bound"), names)
    assert names["bound"] is resolve(api)


@pytest.mark.parametrize(("entry", "api"), DEPRECATED, ids=name_only)
def test_names_called_deprecated_still_work_and_their_successor_exists(
    entry: dict[str, Any], api: str
) -> None:
    old, new = resolve(api), resolve(entry["edit"]["rename"])
    assert callable(old)
    assert callable(new)
    assert old is not new


def test_old_autocast_arguments_in_the_table_are_those_of_the_signature() -> None:
    for entry, api in DEPRECATED:
        if api.endswith("amp.autocast"):
            code = resolve(api).__init__.__code__
            assert list(code.co_varnames[1:4]) == entry["edit"]["name-positionals"]


@pytest.mark.parametrize("name", ["StepLR", "ReduceLROnPlateau", "CosineAnnealingLR", "OneCycleLR"])
def test_schedulers_refuse_the_argument_that_the_table_calls_removed(name: str) -> None:
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
    scheduler = getattr(torch.optim.lr_scheduler, name)
    with pytest.raises(TypeError, match="verbose"):
        scheduler(optimizer, verbose=True)
