"""What building memlint does besides packing files: a wheel gets the rules as data that is read at once."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface[Any]):
    """Reads the rule files into one, which lies beside them in the wheel and nowhere in the source tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the file and name it to the builder; an editable install goes on reading the rule files."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from memlint import catalogue

        self.folder = tempfile.TemporaryDirectory()
        made = Path(self.folder.name, catalogue.COMPILED)
        made.write_text(catalogue.compiled(), encoding="utf-8")
        build_data["force_include"][str(made)] = f"memlint/rules/{catalogue.COMPILED}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove it once it is packed."""
        if version != "editable":
            self.folder.cleanup()
