"""A comparison as JSON: bytes as integers, `share` a fraction of what was (null where that was nothing)."""

from __future__ import annotations

import json
from typing import Any

from memlint.plain import in_json
from memlint.session import Judged
from memlint.session.comparison import Comparison, Row

SCHEMA_VERSION = 1


def render(found: Comparison, over: list[Row], limit: float | None) -> str:
    """The document; `over_limit` is null where no limit was given."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "script": found.new.script,
        "device": found.new.original.device,
        "peak": _row(found.peak),
        "reserved": _row(found.reserved) if found.reserved else None,
        "by_line": [_row(row) for row in found.lines],
        "by_module": [_row(row) for row in found.modules],
        "by_kind": [_row(row) for row in found.kinds],
        "growth_per_step": [_row(row) for row in found.growth],
        "nodes_per_step": [_row(row) for row in found.nodes],
        "findings": {"new": _findings(found.appeared), "gone": _findings(found.gone)},
        "spread": found.spread,
        "doubts": list(found.doubts),
        "limit": limit,
        "over_limit": None if limit is None else [row.name for row in over],
    }
    return in_json(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"


def _row(row: Row) -> dict[str, Any]:
    share = round(row.more / row.before, 6) if row.before else None
    return {"name": row.name, "was": row.was, "before": row.before, "after": row.after, "share": share}


def _findings(rows: tuple[Judged, ...]) -> list[dict[str, Any]]:
    kept = ("code", "name", "path", "line", "severity", "message", "fingerprint")
    return [
        {key: judged.finding[key] for key in kept if key in judged.finding}
        | {"status": judged.verdict.status, "measured_bytes": judged.verdict.measured_bytes,
           "bytes_per_step": judged.verdict.bytes_per_step}
        for judged in rows
    ]  # fmt: skip
