"""Children that need not import torch each for itself."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from memlint.commands.running import trial
from memlint.runtime import simulate
from memlint.runtime.parent import ahead, arms
from memlint.runtime.parent.launcher import Launcher
from tests.runtime.forked import Server

why_not = functools.cache(simulate.why_not)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@contextmanager
def forking(server: Server) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arms, "subprocess", SimpleNamespace(Popen=server.start))
        patch.setattr(Launcher, "start", lambda *request: None)
        patch.setattr(ahead, "at_once", lambda held, limit: 1)
        # Whether a simulation can start is tried in a process of its own: once is enough.
        patch.setattr(trial, "why_not", why_not)
        yield


@pytest.fixture(scope="module")
def torch_once(server: Server) -> Iterator[None]:
    """The replays of this module fork their children off a process that has imported torch."""
    with forking(server):
        yield


@pytest.fixture
def forked(server: Server) -> Iterator[None]:
    """The same for one test of a module in which others start their children as memlint does."""
    with forking(server):
        yield
