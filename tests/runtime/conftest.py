"""Children that need not import torch each for itself."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from memlint.runtime import arms
from tests.runtime.forked import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture(scope="module")
def torch_once(server: Server) -> Iterator[None]:
    """The replays of this module fork their children off a process that has imported torch."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arms, "subprocess", SimpleNamespace(Popen=server.start))
        yield
