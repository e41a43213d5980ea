"""Fixes that move a line, or what it does, look at everything that runs between its old and its new place."""

from __future__ import annotations

import pytest

from memlint.engine import check as engine
from memlint.source.text import apply_edits

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
    "a setting, and the environment is gone through before": (
        "MEM502",
        "import os\nimport torch\nprint(sorted(os.environ.items()))\n"
        + SETTING.format(value="max_split_size_mb:128"),
        "none",
    ),
    "a setting, and the environment is copied by a function": (
        "MEM502",
        "import os\nimport torch\ndef state(): return dict(os.environ)\n"
        + SETTING.format(value="max_split_size_mb:128"),
        "none",
    ),
    "a setting that is added to later": (
        "MEM502",
        "import os\nimport torch\n"
        + SETTING.format(value="max_split_size_mb:128")
        + 'os.environ["PYTORCH_CUDA_ALLOC_CONF"] += ",garbage_collection_threshold:0.8"\n',
        "none",
    ),
    "a setting for where there is none yet": (
        "MEM502",
        "import os\nimport torch\nfrom lib import load\nload()\n"
        'os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128")\n'
        "model = torch.nn.Linear(2, 2).cuda()\n",
        "unsafe",
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


LAID_OUT = {
    "a setting with its comments": (
        "MEM502",
        """\
import os
import torch

model = torch.nn.Linear(4, 4).cuda()
# %% memory
# less fragmentation
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"  # MiB
out = model(torch.randn(2, 4).cuda())
""",
        """\
import os
# less fragmentation
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"  # MiB
import torch

model = torch.nn.Linear(4, 4).cuda()
# %% memory
out = model(torch.randn(2, 4).cuda())
""",
    ),
    "a setting before an import that is tried": (
        "MEM502",
        """\
import os
# the framework
try:
    import torch
except ImportError:
    torch = None
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
model = torch.nn.Linear(4, 4).cuda()
""",
        """\
import os
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
# the framework
try:
    import torch
except ImportError:
    torch = None
model = torch.nn.Linear(4, 4).cuda()
""",
    ),
    "a line below a comment on the lines after it too": (
        "MEM122",
        """\
from torch import nn, optim
from data import loader
model = nn.Linear(400, 400)
opt = optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x), y)
    # backward and step
    opt.zero_grad()  # none left
    loss.backward()
    opt.step()
""",
        """\
from torch import nn, optim
from data import loader
model = nn.Linear(400, 400)
opt = optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()  # none left
    loss = nn.functional.cross_entropy(model(x), y)
    # backward and step
    loss.backward()
    opt.step()
""",
    ),
    "a line with a comment to itself": (
        "MEM122",
        """\
from torch import nn, optim
from data import loader
model = nn.Linear(400, 400)
opt = optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x), y)
    # forget the last gradients
    opt.zero_grad()

    loss.backward()
    opt.step()
""",
        """\
from torch import nn, optim
from data import loader
model = nn.Linear(400, 400)
opt = optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    # forget the last gradients
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)

    loss.backward()
    opt.step()
""",
    ),
    "calls over several lines": (
        "MEM412",
        """\
import torch
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def features(loader):
    rows = torch.zeros(
        0, 512,  # none yet
        device="cuda",
    )
    for x in loader:
        rows = torch.cat(
            [rows, model(x.cuda())],
            dim=0,
        )
    return rows
""",
        """\
import torch
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def features(loader):
    rows = [torch.zeros(
        0, 512,  # none yet
        device="cuda",
    )]
    for x in loader:
        rows.append(model(x.cuda()))
    rows = torch.cat(rows, dim=0)
    return rows
""",
    ),
    "a backward that shares its line": (
        "MEM118",
        """\
import torch
import torch.nn.functional as F
def train(net, opt, batches):
    for x, y in batches:
        opt.zero_grad()
        total = 0
        for a, b in zip(x.chunk(4), y.chunk(4)):
            total += F.mse_loss(net(a), b)
        print(len(x)); total.backward(); opt.step()
""",
        """\
import torch
import torch.nn.functional as F
def train(net, opt, batches):
    for x, y in batches:
        opt.zero_grad()
        for a, b in zip(x.chunk(4), y.chunk(4)):
            F.mse_loss(net(a), b).backward()
        print(len(x)); opt.step()
""",
    ),
    "a gradient whose line holds more": (
        "MEM123",
        """\
import torch
def step(net, opt, loss):
    for p in net.parameters():
        if p.grad is not None:
            count(p); p.grad.zero_(); count(p)
    loss.backward()
    opt.step()
""",
        """\
import torch
def step(net, opt, loss):
    for p in net.parameters():
        if p.grad is not None:
            count(p); p.grad = None; count(p)
    loss.backward()
    opt.step()
""",
    ),
    "a switch of a network on a shared line": (
        "MEM908",
        """\
import torch
from nets import encoder, train
encoder.body.require_grad = False; train(encoder)
""",
        """\
import torch
from nets import encoder, train
encoder.body.requires_grad_(False); train(encoder)
""",
    ),
    "an argument over several lines before a new one": (
        "MTF107",
        """\
import tensorflow as tf
class Reader:
    def read(self, files):
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.map(lambda path: tf.io.decode_jpeg(
            tf.io.read_file(path),
            channels=3))
        return ds.batch(8).prefetch(tf.data.AUTOTUNE)
    def listed(self, files):
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.map(
            lambda path: tf.io.decode_jpeg(
                tf.io.read_file(path)
            ),
        )
        return ds.batch(8).prefetch(tf.data.AUTOTUNE)
""",
        """\
import tensorflow as tf
class Reader:
    def read(self, files):
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.map(lambda path: tf.io.decode_jpeg(
            tf.io.read_file(path),
            channels=3), num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(8).prefetch(tf.data.AUTOTUNE)
    def listed(self, files):
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.map(
            lambda path: tf.io.decode_jpeg(
                tf.io.read_file(path)
            ),
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        return ds.batch(8).prefetch(tf.data.AUTOTUNE)
""",
    ),
    "stages over several lines that change places": (
        "MTF107",
        """\
import tensorflow as tf
def pipeline(files):
    if files:
        return tf.data.Dataset.from_tensor_slices(
            files,
        ).batch(
            8,
        ).shuffle(
            1000,
        ).prefetch(tf.data.AUTOTUNE)
""",
        """\
import tensorflow as tf
def pipeline(files):
    if files:
        return tf.data.Dataset.from_tensor_slices(
            files,
        ).shuffle(
            1000,
        ).batch(
            8,
        ).prefetch(tf.data.AUTOTUNE)
""",
    ),
    "a new argument below the comment of the last": (
        "MEM803",
        """\
from torch import nn
attend = nn.MultiheadAttention(64, 4)
def mix(q, k, v):
    y, _ = attend(
        q,  # query
        k,
        v,  # value
    )
    y, _ = attend(
        q,
        k,
        y  # twice
    )
    return y
""",
        """\
from torch import nn
attend = nn.MultiheadAttention(64, 4)
def mix(q, k, v):
    y, _ = attend(
        q,  # query
        k,
        v,  # value
        need_weights=False,
    )
    y, _ = attend(
        q,
        k,
        y,  # twice
        need_weights=False
    )
    return y
""",
    ),
}


@pytest.mark.parametrize("name", LAID_OUT)
def test_comments_stay_with_what_they_speak_of(name: str) -> None:
    code, text, expected = LAID_OUT[name]
    report = engine.check(text, "t.py", engine.Checks(frozenset({code}), frozenset({code}), "t.py"))
    edits = [edit for finding in report.findings if finding.fix for edit in finding.fix.edits]
    assert apply_edits(text, edits) == expected
