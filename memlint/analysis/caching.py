"""Answers that are worked out once for each file: a cache with the type of the function that fills it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar, cast

Answers = dict[Callable[..., object], dict[tuple[Hashable, ...], object]]
"""What cached functions have answered about one file: by function, then by their other arguments."""


class Asked(Protocol):
    """What cached functions are asked about: a file, with the answers that it has been given so far."""

    answers: Answers


M = TypeVar("M", bound=Asked)
P = ParamSpec("P")
T = TypeVar("T")


def cached(function: Callable[Concatenate[M, P], T]) -> Callable[Concatenate[M, P], T]:
    """A function of a model that is run once for each model and each set of positional arguments.

    The answer lives as long as the model and is handed out itself, not a copy: callers must not change it.
    An answer that another call of the same function is still working out is not there yet.
    """

    @wraps(function)
    def answer(model: M, /, *args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs, f"{function.__name__} is cached by its positional arguments"
        known = model.answers.get(function)
        if known is None:
            known = model.answers[function] = {}
        key = cast("tuple[Hashable, ...]", args)
        if key not in known:
            known[key] = function(model, *args, **kwargs)
        return cast("T", known[key])

    return answer
