"""What a report calls the modules of a script, and the lines of libraries that it has led to."""

from __future__ import annotations

from collections import Counter

from memlint.runtime.child.log import NO_MODULE, NO_SITE, Birth, Log
from memlint.runtime.child.project import name_of_library


class Names:
    """Names modules by their place below the root that the script calls.

    A root is called by its class. Where several of them have parameters, paths begin with what the script
    calls each of them, or else with its class, and a number where that does not tell them apart.
    """

    def __init__(self, log: Log) -> None:
        self._modules = log.modules
        roots = sorted({log.modules[module].root for module in log.owners.values()})
        self._prefixes: dict[int, str] = {}
        if len(roots) > 1:
            seen: Counter[str] = Counter()
            for root in roots:
                name = log.modules[root].line or log.modules[root].kind
                seen[name] += 1
                self._prefixes[root] = name if seen[name] == 1 else f"{name}({seen[name]})"

    def of(self, module: int) -> str:
        """The path of a module; "" for none."""
        if module == NO_MODULE:
            return ""
        row = self._modules[module]
        prefix = self._prefixes.get(row.root, "")
        return ".".join(filter(None, (prefix, row.path))) or row.kind


def leads_away(log: Log, birth: Birth) -> bool:
    """Whether the project's line behind a birth only calls a library, which does the rest.

    It does not where a library merely helps the forward of a module that is the project's own.
    """
    if birth.library == NO_SITE:
        return False
    return birth.module == NO_MODULE or not log.modules[birth.module].is_own


def library_line(log: Log, site: int) -> str:
    """A line of a library ("timm/models/resnet.py:241"); "" for none."""
    if site == NO_SITE:
        return ""
    path, number = log.sites[site]
    return f"{name_of_library(path)}:{number}"
