"""Children of a replay forked off a process that has imported torch, which takes longer than most scripts.

A forked child runs the same start.py with the same arguments, environment, folder and streams, in a session
of its own. memlint forks the runs of one replay in the same way (`memlint.runtime.child.launcher`); here all
tests share one process, whatever their folder and environment. How a process starts is not shown by it: tests
about that start their children as memlint does.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from memlint.runtime import start

SERVER = """
import json, os, runpy, site, socket, sys, tempfile
runpy.run_path(sys.argv[2])["provide"]()
import torch
import memlint.runtime.child.run, memlint.runtime.simulate.probe
torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0).zero_grad()  # imports what optimizers need
asked = socket.socket(fileno=int(sys.argv[1]))
while True:
    request, streams, _, _ = socket.recv_fds(asked, 1 << 20, 3)
    if not request:
        sys.exit()
    pid = os.fork()
    if pid == 0:
        break
    for stream in streams:
        os.close(stream)
    asked.send(str(pid).encode())
    asked.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
asked.close()
os.setsid()
for number, stream in enumerate(streams):
    os.dup2(stream, number)
    os.close(stream)
sys.argv, folder, environment = json.loads(request)
os.chdir(folder)
served = os.environ.get("PYTHONPATH", "").split(os.pathsep)
os.environ.clear()
os.environ.update(environment)
tempfile.tempdir = None  # what was found out under another environment
wanted = os.environ.get("PYTHONPATH", "").split(os.pathsep)
if wanted != served:
    rest = [path for path in sys.path[1:] if path not in served]
    sys.path[1:] = [*dict.fromkeys(filter(None, wanted)), *rest]
    sys.orig_argv = [sys.executable, *sys.argv]
    site.execsitecustomize()
with open(sys.argv[0], encoding="utf-8") as file:
    code = compile(file.read(), sys.argv[0], "exec")
exec(code, {"__name__": "__main__", "__file__": sys.argv[0]})
"""


class Server:
    """The process with torch in it. It runs one child at a time, as a replay does."""

    def __init__(self) -> None:
        settled = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVER, str(theirs.fileno()), start.__file__],
                pass_fds=[theirs.fileno()],
                env={**os.environ, **settled},
                start_new_session=True,
            )

    def close(self) -> None:
        self.socket.close()
        self.process.wait(30)

    def start(self, command: Sequence[str], **settings: Any) -> Forked | subprocess.Popen[bytes]:
        """Stands in for `subprocess.Popen`, which torch's launcher of several ranks gets."""
        if command[1] != start.__file__:
            return subprocess.Popen(command, **settings)
        return Forked(self.socket, command[1:], **settings)


class Forked:
    """What a replay asks of a `subprocess.Popen`, for a child of the server."""

    def __init__(
        self, server: socket.socket, arguments: Sequence[str], *, stdin: int, stdout: int, stderr: int,
        cwd: str, env: Mapping[str, str], start_new_session: bool,
    ) -> None:  # fmt: skip
        assert start_new_session
        request = json.dumps([arguments, cwd, dict(env)]).encode()
        socket.send_fds(server, [request], [stdin, stdout, stderr])
        self.server = server
        self.pid = int(server.recv(100))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self.server], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        if self.returncode is None:
            self.returncode = int(self.server.recv(100))
        return self.returncode
