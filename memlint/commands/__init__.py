"""The subcommands: one module each, with `add_arguments` and `run`, imported when it is called for.

A `-` in a name is a `_` in that of its module: `new_rule`.
"""

from __future__ import annotations

COMMANDS = {
    "check": "find memory problems in training scripts, and fix them",
    "replay": "run a script for a few steps, measure, and judge each finding",
    "fit": "predict whether a script fits into a GPU, without a GPU",
    "report": "show a saved replay again",
    "compare": "say what has changed between two saved replays of a script",
    "annotate": "show a source file with the bytes of its lines, by a saved replay",
    "rule": "explain a rule, or list all of them",
    "test-rules": "run the examples of rule packs",
    "new-rule": "write the files of a new rule, to be filled in (for work on memlint itself)",
    "config": "show the settings in force and where each comes from",
    "server": "serve an editor (Language Server Protocol)",
    "completion": "print the completion script of a shell",
}
