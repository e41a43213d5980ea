"""The command line: dispatch to a subcommand, print errors once, choose the exit code.

Exit codes: 0 clean, 1 findings, 2 could not do the job, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, TextIO

from memlint import __version__
from memlint.commands import COMMANDS
from memlint.commands.command_line.option_names import with_options_as_values
from memlint.errors import MemlintError, UsageError
from memlint.syntax import lean

if TYPE_CHECKING:
    from types import FrameType

PIPE_CLOSED = 141
INTERRUPTED = 130
UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
YOUNG = 100_000
"""New objects from which on garbage is collected: most that a short process makes lasts as long as it."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Raise a UsageError."""
        raise UsageError(message, f"`{self.prog} --help` shows what is possible")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # A caller may have closed them: what is said there is said to nobody.
    sys.stdout, sys.stderr = (stream or _nowhere() for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal says what it can show. Whoever reads JSON, XML or annotations from a pipe or a file
            # expects UTF-8, also where the system writes something else.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    try:
        code = _dispatch(arguments) if arguments not in (["--version"], ["-V"]) else _say_version()
        if not sys.stdout.closed:  # as the language server leaves it
            sys.stdout.flush()
        return code
    except MemlintError as error:
        print(f"memlint: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("memlint: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return PIPE_CLOSED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in UNWRITABLE:
            _drop_stdout()
            print(f"memlint: error: the output cannot be written: {error.strerror}", file=sys.stderr)
            return MemlintError.exit_code
        if isinstance(error, OSError) and (problem := _trouble_around(error)):
            print(f"memlint: error: {problem}", file=sys.stderr)
            return MemlintError.exit_code
        import traceback

        traceback.print_exc()
        print("memlint: error: this is a bug in memlint, please report the lines above", file=sys.stderr)
        return MemlintError.exit_code


def _say_version() -> int:
    print(f"memlint {__version__}")
    return 0


def _trouble_around(error: OSError) -> str:
    """What is wrong with where memlint was started, if an error comes from that; otherwise ""."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{error.strerror} (raise the limit: ulimit -n)"
    try:
        os.getcwd()
    except OSError:
        return "the current folder is no longer there (change to another one)"
    return ""


def _nowhere() -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), "utf-8")


def _drop_stdout() -> None:
    """Python flushes stdout once more on its way out, which would raise again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def program() -> int:
    """The process `memlint`: `main`, with garbage collected seldom, and not once more at the end."""
    gc.set_threshold(YOUNG)
    lean.alone = True
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt_once)
    code = main()
    if code == INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)  # Python would wait for the threads of a pool whose processes were killed
    gc.freeze()
    return code


def _interrupt_once(_number: int, _frame: FrameType | None) -> NoReturn:
    """Raise KeyboardInterrupt; further ones are ignored: they would interrupt the obeying of this one.

    `timeout -s INT` sends two of them, one to the process and one to its group.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _parsers() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command line without any command's own options, and those of the commands."""
    parser = Parser(
        prog="memlint", description="Find the lines of a training script that waste or leak memory."
    )
    parser.add_argument("-V", "--version", action="version", version=f"memlint {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for name, summary in COMMANDS.items():
        subparsers.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", allow_abbrev=False
        )
    return parser, subparsers.choices


def complete_parser() -> Parser:
    """The parser with all commands and all of their options: what completion scripts are made from."""
    parser, commands = _parsers()
    for name, inner in commands.items():
        importlib.import_module(f"memlint.commands.{name.replace('-', '_')}").add_arguments(inner)
    return parser


def _dispatch(arguments: Sequence[str]) -> int:
    parser, commands = _parsers()
    at = next((at for at, word in enumerate(arguments) if not word.startswith("-")), len(arguments))
    # Options before the command: help and version leave here, and there are no others.
    _parse(parser, arguments[:at])
    if at == len(arguments):
        parser.print_help()
        return 0
    wanted = arguments[at]
    if wanted not in COMMANDS:
        raise _unknown(wanted)
    module = importlib.import_module(f"memlint.commands.{wanted.replace('-', '_')}")
    inner = commands[wanted]
    module.add_arguments(inner)
    code: int = module.run(_parse(inner, arguments[at + 1 :]))
    return code


def _parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """Options and paths in any order: argparse alone wants all paths of a command side by side."""
    several = next((action for action in parser._actions if action.nargs == "*"), None)
    end = arguments.index("--") if several and "--" in arguments else len(arguments)
    # A value that may be left out is given with `=`: what follows a bare option is a path.
    optional = {word for action in parser._actions if action.nargs == "?" for word in action.option_strings}
    words = with_options_as_values(parser, [f"{w}=" if w in optional else w for w in arguments[:end]])
    options, others = parser.parse_known_args(words)
    unknown = [word for word in others if several is None or (word != "-" and word.startswith("-"))]
    if unknown:
        raise _unexpected(unknown[0], parser)
    options.command_line = list(arguments)
    if several is not None:
        getattr(options, several.dest).extend([*others, *arguments[end + 1 :]])
    return options


def _unexpected(word: str, parser: argparse.ArgumentParser) -> UsageError:
    if not word.startswith("-"):
        return UsageError(f"unexpected argument `{word}`", f"`{parser.prog} --help` shows what is possible")
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
    sys.exit(program())
