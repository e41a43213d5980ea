"""`memlint` as on a system that lacks what POSIX and Linux have: no forks, no process groups, no owners.

Run as a script. Pools start their processes by "spawn", as on Windows and macOS, and those run this again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile

# Python itself has taken what it needs of them by now.
_NEEDED = (asyncio, multiprocessing, pathlib, shutil, subprocess, tempfile)
_MODULES = "fcntl grp posix_spawn pty pwd readline resource syslog termios tty".split()
_FUNCTIONS = (
    "chown fork forkpty getegid geteuid getgid getpgid getuid killpg lchown mkfifo openpty pread preadv "
    "pwrite pwritev register_at_fork sched_getaffinity set_blocking setpgid setsid sysconf uname wait3 wait4"
)
_SIGNALS = "SIGHUP SIGKILL SIGPIPE SIGALRM SIGUSR1 SIGUSR2 SIGQUIT"

for _name in _MODULES:
    sys.modules[_name] = None  # type: ignore[assignment]
for _module, _names in ((os, _FUNCTIONS), (signal, _SIGNALS), (select, "poll epoll")):
    for _name in _names.split():
        if hasattr(_module, _name):
            delattr(_module, _name)

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    from memlint.__main__ import program

    sys.exit(program())
