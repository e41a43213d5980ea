"""The command line: dispatch to a subcommand, print errors once, choose the exit code.

Exit codes: 0 clean, 1 findings, 2 could not do the job, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from memlint import __version__
from memlint.commands import COMMANDS
from memlint.errors import MemlintError, UsageError

PIPE_CLOSED = 141
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Raise a UsageError."""
        raise UsageError(message, f"`{self.prog} --help` shows what is possible")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments in (["--version"], ["-V"]):
        print(f"memlint {__version__}")
        return 0
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except MemlintError as error:
        print(f"memlint: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("memlint: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more on its way out, which would raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception:
        import traceback

        traceback.print_exc()
        print("memlint: error: this is a bug in memlint, please report the lines above", file=sys.stderr)
        return MemlintError.exit_code


def _dispatch(arguments: Sequence[str]) -> int:
    parser = Parser(
        prog="memlint", description="Find the lines of a training script that waste or leak memory."
    )
    parser.add_argument("-V", "--version", action="version", version=f"memlint {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    if wanted is not None and wanted not in COMMANDS:
        raise _unknown(wanted)
    for name, summary in COMMANDS.items():
        inner = subparsers.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", allow_abbrev=False
        )
        if name == wanted:
            module = importlib.import_module(f"memlint.commands.{name.replace('-', '_')}")
            module.add_arguments(inner)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        raise _unknown_option(unknown[0], subparsers.choices.get(wanted or "", parser))
    if options.command is None:
        parser.print_help()
        return 0
    code: int = module.run(options)
    return code


def _unknown_option(word: str, parser: argparse.ArgumentParser) -> UsageError:
    import difflib

    known = [option for action in parser._actions for option in action.option_strings]
    near = difflib.get_close_matches(word.partition("=")[0], known, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"`{parser.prog} --help` shows what is possible"
    return UsageError(f"unknown option `{word}`", hint)


def _unknown(word: str) -> UsageError:
    if os.path.exists(word):
        return UsageError(f"unknown command `{word}`", f"to check that path: memlint check {word}")
    import difflib

    near = difflib.get_close_matches(word, COMMANDS, 1)
    hint = f"did you mean `memlint {near[0]}`?" if near else f"commands: {', '.join(COMMANDS)}"
    return UsageError(f"unknown command `{word}`", hint)


if __name__ == "__main__":
    sys.exit(main())
