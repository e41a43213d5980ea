"""Changes written as arguments of a Trainer of transformers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from memlint.runtime.parent.fit.written.accumulation import named
from memlint.runtime.parent.fit.written.page import Page, RefusedError
from memlint.session import Lines

_CLASSES = frozenset({"TrainingArguments", "Seq2SeqTrainingArguments"})

SIZE, STEPS = "per_device_train_batch_size", "gradient_accumulation_steps"
_DEFAULT = 8
"""Of SIZE in transformers (training_args.py)."""


def calls(texts: Mapping[str, str]) -> tuple[Lines, ...]:
    """Where the arguments of a Trainer are made."""
    found = []
    for path, text in texts.items():
        if any(name in text for name in _CLASSES):
            found += [Lines(path, call.lineno, call.lineno) for call in _calls(Page.of(text).tree)]
    return tuple(found)


def argue(page: Page, line: int, word: str) -> None:
    """Give the call in a line an argument ("bf16=True"), or divide its batches by a number ("2").

    Raises:
        RefusedError: it has such an argument that is no constant, or takes some from elsewhere.
    """
    call = next((each for each in _calls(page.tree) if each.lineno == line), None)
    if call is None or any(k.arg is None for k in call.keywords):
        raise RefusedError("the arguments of the Trainer are not seen")
    given = {k.arg: k.value for k in call.keywords}
    if not word.isdecimal():
        name, _, value = word.partition("=")
        _set(page, call, given.get(name), name, value)
        return
    times = int(word)
    size = _number(given.get(SIZE), _DEFAULT)
    if size % times:
        raise RefusedError("batches of that size have no such parts")
    _set(page, call, given.get(SIZE), SIZE, str(size // times))
    _set(page, call, given.get(STEPS), STEPS, str(_number(given.get(STEPS), 1) * times))


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and named(node.func) in _CLASSES)


def _number(node: ast.expr | None, default: int) -> int:
    if node is None:
        return default
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    raise RefusedError("an argument is no number")


def _set(page: Page, call: ast.Call, node: ast.expr | None, name: str, value: str) -> None:
    if node is not None:
        if not isinstance(node, ast.Constant):
            raise RefusedError("an argument is no constant")
        page.replace(node, value)
        return
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    if not given:
        raise RefusedError("the call has no arguments")
    last = max(given, key=_place)
    margin = page.lines[last.lineno - 1].encode()[: last.col_offset].decode()
    apart = " " if margin.strip() else f"\n{margin}"
    page.put_behind(last.value if isinstance(last, ast.keyword) else last, f",{apart}{name}={value}")


def _place(node: ast.expr | ast.keyword) -> tuple[int, int]:
    return node.lineno, node.col_offset
