"""`python -m benchmarks.fuzz {check,session}`: coverage-guided fuzzing, with atheris.

check     from the bytes of a file to its findings and fixes: what `benchmarks.fuzz.properties` demands
session   from the bytes of a session file to its page and reports: what `benchmarks.fuzz.sessions` demands

Three of four inputs are made by changing a real one where it has a meaning (a statement, a value), the others
by changing bytes. The first input for which something does not hold ends the run: it is written to the folder
`--found`, and the exit code is that of libFuzzer, not 0. Needs atheris (`pip install atheris`; Linux, CPython
3.11 to 3.13).
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.fuzz import mutations, sessions

LONGEST = {"check": 20_000, "session": 200_000}
SECONDS_AN_INPUT = 120
MEMORY_MIB = 1024
Mutate = Callable[[bytes, random.Random], bytes]


def _script(data: bytes, pick: random.Random, others: list[str]) -> bytes:
    text = data.decode("utf-8", "replace")
    return mutations.mutated(text, pick, pick.choice(others)).encode() if mutations.compiles(text) else b""


def _session(data: bytes, pick: random.Random) -> bytes:
    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError):
        return b""
    if not isinstance(document, (dict, list)):
        return b""
    return json.dumps(sessions.changed(document, pick)).encode()


def _check_target(seeds: Path, seconds: int) -> tuple[Callable[[bytes], list[str]], Mutate]:
    """The scripts of this repository; every eighth program is held against all that must hold.

    The first thing that is done is to look at all of them as they are: a short run begins with fewer.
    """
    from benchmarks.fuzz.properties import broken, unreadable
    from memlint.errors import SourceError
    from memlint.source.text import Source

    texts = [path.read_text(encoding="utf-8") for path in mutations.scripts(4000)]
    for number, text in enumerate(random.sample(texts, min(300, max(20, seconds // 3), len(texts)))):
        (seeds / f"{number}.py").write_text(text, encoding="utf-8")

    def run(data: bytes) -> list[str]:
        if sum(data) % 8:
            return unreadable(data)
        try:
            text = Source.decode("train.py", data).text
        except SourceError:
            return []
        return broken(text) if mutations.compiles(text) else unreadable(data)

    return run, lambda data, pick: _script(data, pick, texts)


def _session_target(seeds: Path, seconds: int) -> tuple[Callable[[bytes], list[str]], Mutate]:
    from memlint.session_file import to_json
    from tests.runtime.test_session import a_session

    document = json.dumps(to_json(a_session()))
    (seeds / "session.json").write_text(document, encoding="utf-8")
    for number in range(30):
        changed = sessions.changed(json.loads(document), random.Random(number), 1)
        (seeds / f"{number}.json").write_text(json.dumps(changed), encoding="utf-8")
    return sessions.broken, _session


TARGETS = {"check": _check_target, "session": _session_target}


def main() -> int:
    """Fuzz until the time is over, which ends the process; 2 where there is no atheris."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", type=Path, default=Path(".benchmarks/fuzz"))
    options = parser.parse_args()
    try:
        import atheris
    except ImportError:
        print("error: atheris is not installed (pip install atheris)", file=sys.stderr)
        return 2
    random.seed(options.seed)
    options.found.mkdir(parents=True, exist_ok=True)
    seeds = Path(tempfile.mkdtemp())
    arguments = [
        sys.argv[0], str(seeds), f"-max_total_time={options.seconds}", f"-seed={options.seed}",
        # How long an input takes on a busy machine is no find.
        "-report_slow_units=1000",
        f"-max_len={LONGEST[options.target]}", f"-timeout={SECONDS_AN_INPUT}", f"-rss_limit_mb={MEMORY_MIB}",
        f"-artifact_prefix={options.found}/",
    ]  # fmt: skip
    with atheris.instrument_imports(include=["memlint"]):
        from memlint import analysis, detect, report

        run, mutate = TARGETS[options.target](seeds, options.seconds)
        # memlint imports much when a file needs it: the first input would be charged with all.
        for package in (analysis, detect, report):
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                importlib.import_module(module.name)

        def one(data: bytes) -> None:
            problems = run(data)
            if problems:
                raise AssertionError("\n".join(problems))

        def change(data: bytes, most: int, seed: int) -> bytes:
            pick = random.Random(seed)
            new = mutate(data, pick) if pick.random() < 0.75 else b""
            return new if 0 < len(new) <= most else bytes(atheris.Mutate(data, most))

        atheris.Setup(arguments, one, custom_mutator=change)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
