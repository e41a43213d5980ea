"""Fixes that move a line, or what it does, look at everything that runs between its old and its new place."""

from __future__ import annotations

import pytest

from memlint.engine import check as engine

SETTING = 'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "{value}"\nmodel = torch.nn.Linear(2, 2).cuda()\n'
GROWN = """\
import torch
from contextlib import suppress
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def features(loader):
    {header}
        rows = torch.tensor([], device="cuda")
        for x in loader:
            rows = torch.cat([rows, model(x.cuda())], dim=0)
        {inside}
    {after}
"""
CASES = {
    "a setting": (
        "MEM502",
        "import os\nimport torch\n" + SETTING.format(value="max_split_size_mb:128"),
        "safe",
    ),
    "a setting that is asked for before": (
        "MEM502",
        'import os\nimport torch\nprint(os.getenv("PYTORCH_CUDA_ALLOC_CONF"))\n'
        + SETTING.format(value="max_split_size_mb:128"),
        "none",
    ),
    "segments that other processes cannot open": (
        "MEM502",
        "import os\nimport torch\nimport torch.multiprocessing\n"
        + SETTING.format(value="expandable_segments:True"),
        "unsafe",
    ),
    "another allocator": (
        "MEM502",
        "import os\nimport torch\n" + SETTING.format(value="backend:cudaMallocAsync"),
        "unsafe",
    ),
    "read where no error is handled": (
        "MEM412",
        GROWN.format(header="try:", inside="print(rows.shape)", after="finally:\n        print('done')"),
        "safe",
    ),
    "read after an error": (
        "MEM412",
        GROWN.format(header="try:", inside="print(len(loader))", after="finally:\n        print(rows.shape)"),
        "none",
    ),
    "read after an interrupt": (
        "MEM412",
        GROWN.format(
            header="with suppress(KeyboardInterrupt):", inside="print(len(loader))", after="return rows"
        ),
        "none",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_moved_line_meets_no_reader_on_its_way(name: str) -> None:
    code, text, expected = CASES[name]
    report = engine.check(text, "t.py", engine.Checks(frozenset({code}), frozenset({code}), "t.py"))
    assert not report.failed
    (finding,) = report.findings
    assert (finding.fix.applicability.value if finding.fix else "none") == expected
