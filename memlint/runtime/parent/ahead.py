"""Runs that are begun before they are asked for, several at once, each followed by a thread."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import LAST_WORDS, Outcome, Request, Target
from memlint.runtime.parent.launcher import Launcher

MOST = 4
"""Runs at once: each has a process with torch in it to be forked from."""

WORTH = 15.0
"""Seconds that runs one after the other must be expected to take: each such process imports torch first."""

LOOK = 0.2


@dataclass(slots=True)
class Begun:
    """One run: `steps` are those that it has made, `outcome` or `error` what came of it once it is `over`."""

    target: Target
    request: Request
    steps: int = 0
    outcome: Outcome | None = None
    error: BaseException | None = None
    over: threading.Event = field(default_factory=threading.Event)

    def wait(self, say: Callable[[int], None]) -> Outcome:
        """What came of it; `say` is told its steps now and then.

        Raises:
            MemlintError: what the target asks for cannot be measured on this machine.
        """
        while not self.over.wait(LOOK):
            say(self.steps)
        if self.error is not None:
            raise self.error
        assert self.outcome is not None
        return self.outcome


class Ahead:
    """The threads, as many as runs may go on at once, and what is waiting for them.

    They end when nothing is waiting. `is_over` asks them to end what they do.
    """

    def __init__(self, at_once: int, workshop: Path, is_over: Callable[[], bool]) -> None:
        self._workshop = workshop
        self._is_over = is_over
        self._closed = False
        self._waiting: deque[Begun] = deque()
        self._known: dict[str, Begun] = {}
        self._launchers = [Launcher() for _ in range(at_once)]
        self._threads: list[threading.Thread] = []

    def begin(self, target: Target, requests: Sequence[Request]) -> None:
        """Make these runs, in this order; those before have been asked for by now."""
        self._join()
        made = [Begun(target, request) for request in requests]
        self._known.update((begun.request.name, begun) for begun in made)
        self._waiting.extend(made)
        for launcher in self._launchers:
            # As daemons: memlint ends at once where it is told so twice, and its children with it.
            thread = threading.Thread(target=self._work, args=(launcher,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def take(self, target: Target, request: Request) -> Begun | None:
        """A run that was begun; None where it was not, or as another one."""
        begun = self._known.pop(request.name, None)
        return begun if begun is not None and (begun.target, begun.request) == (target, request) else None

    def close(self) -> None:
        """End what goes on, and the launchers."""
        self._closed = True
        self._waiting.clear()
        self._join()
        for launcher in self._launchers:
            launcher.close()

    def _join(self) -> None:
        for thread in self._threads:
            thread.join(2 * LAST_WORDS if self._closed else None)
        self._threads.clear()

    def _work(self, launcher: Launcher) -> None:
        while not self._closed:
            try:
                begun = self._waiting.popleft()
            except IndexError:
                return
            try:
                begun.outcome = self._made(begun, launcher)
            except BaseException as error:
                begun.error = error
            finally:
                begun.over.set()

    def _made(self, begun: Begun, launcher: Launcher) -> Outcome:
        def progress(steps: int) -> None:
            begun.steps = steps

        return arms.run(
            begun.target, begun.request, self._workshop, progress,
            lambda: self._closed or self._is_over(), launcher,
        )  # fmt: skip


def at_once(held: int, limit: int) -> int:
    """How many runs may go on at once: no more than there are processors, and than the host has memory for.

    `held` bytes are what one of them takes, `limit` what there is for all.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    return max(1, min(MOST, processors, limit // held if held > 0 else 1))
