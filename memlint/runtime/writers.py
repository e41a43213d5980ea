"""Writers of torch and its companions that open files in native code, sent through the sandbox."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

import torch

from memlint.runtime.sandbox import Sandbox


def contain(box: Sandbox) -> None:
    """Redirect torch.save, torch.load and, where installed, safetensors."""
    torch.save = torch.serialization.save = _second_argument(box, torch.save)
    torch.load = torch.serialization.load = _first_argument(box, torch.load)
    if importlib.util.find_spec("safetensors") is not None:
        module: Any = importlib.import_module("safetensors.torch")
        module.serialize_file = _second_argument(box, module.serialize_file)


def _second_argument(box: Sandbox, real: Callable[..., Any]) -> Callable[..., Any]:
    def contained(obj: Any, f: Any = None, *args: Any, **kwargs: Any) -> Any:
        if f is None:
            f = kwargs.pop("filename")
        return real(obj, box.for_writing(f, keep=False), *args, **kwargs)

    return contained


def _first_argument(box: Sandbox, real: Callable[..., Any]) -> Callable[..., Any]:
    def contained(f: Any, *args: Any, **kwargs: Any) -> Any:
        return real(box.for_reading(f), *args, **kwargs)

    return contained
