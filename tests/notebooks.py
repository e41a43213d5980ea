"""Notebooks as Jupyter, VS Code, Colab and others write them."""

from __future__ import annotations

import json
from typing import Any

from memlint.finding import Span
from memlint.source.notebook import Notebook

SETUP = """\
import torch
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"""
LOOP = """\
total = 0.0
for step in range(100):
    loss = model(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss"""
START = Span(1, 1, 1, 1)
PYTHON = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code(source: str, *, as_list: bool = True, **more: Any) -> dict[str, Any]:
    """A code cell as Jupyter writes it."""
    output = {"name": "stdout", "output_type": "stream", "text": ["na\u00efve \u2713\n"]}
    cell = {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [output]}
    return {**cell, **more, "source": source.splitlines(keepends=True) if as_list else source}


def text_cell(source: str) -> dict[str, Any]:
    attachments = {"a.png": {"image/png": "iVBORw0KGgo="}}
    return {"cell_type": "markdown", "metadata": {}, "attachments": attachments, "source": [source]}


def notebook(*cells: dict[str, Any], metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    found = PYTHON if metadata is None else metadata
    return {"cells": list(cells), "metadata": found, "nbformat": 4, "nbformat_minor": 5}


def jupyter(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def vscode(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=2, ensure_ascii=False).encode()


def colab(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=2, ensure_ascii=True).encode()


def compact(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":"), sort_keys=True).encode()


def windows(content: dict[str, Any]) -> bytes:
    return b"\xef\xbb\xbf" + jupyter(content).replace(b"\n", b"\r\n")


WRITERS = (jupyter, vscode, colab, compact, windows)


def module(*sources: str) -> Notebook:
    return Notebook.decode("nb.ipynb", jupyter(notebook(*map(code, sources))))
