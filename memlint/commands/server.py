"""`memlint server`: the language server, for editors; needs the extra `server`."""

from __future__ import annotations

import argparse
import gc
from importlib.util import find_spec

from memlint.errors import UsageError

GARBAGE = 2_000
"""New objects after which garbage is collected. Other commands end before it pays (`memlint.__main__`); a
server would keep what each edit leaves behind, some 9 KiB, for as long as it runs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint server`."""
    parser.add_argument("--stdio", action="store_true", help="talk over stdin and stdout, as it always does")


def run(options: argparse.Namespace) -> int:
    """Serve one client until it says goodbye; gives 0, or 1 where it did not ask for the shutdown first.

    https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#exit

    Raises:
        UsageError: pygls is not installed, or the client announces a message that memory cannot hold.
    """
    if find_spec("pygls") is None:
        raise UsageError("memlint server needs pygls", "pip install 'torch-memlint[server]'")
    from memlint.server.serve import server

    gc.set_threshold(GARBAGE)
    serving = server()
    try:
        serving.start_io()
    except MemoryError as error:
        raise UsageError("the client announces a message that is larger than memory") from error
    return 0 if serving.was_shut_down else 1
