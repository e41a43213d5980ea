"""What replay measures with the torch that is installed, in bytes: the same with every torch.

`.ci/torch-versions` runs this module with the oldest torch that is allowed, the pinned one and the newest.
Nothing in these scripts allocates differently with another torch; what would is named where it is avoided.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memlint.session import Arm
from tests.runtime.simulated import needs_simulation, simulated
from tests.runtime.support import measure, needs_torch, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

BEGIN = """
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
"""

SCRIPTS = {
    "mlp": """
net = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
opt = torch.optim.Adam(net.parameters(), foreach=False)
for _ in range(4):
    x, y = torch.randn(32, 128, device=device), torch.randint(0, 10, (32,), device=device)
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "convolutions": """
net = nn.Sequential(
    nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14 * 14, 10)
).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, foreach=True)
scaler = torch.amp.GradScaler(device.type, enabled=device.type == "cuda")
for _ in range(4):
    x, y = torch.randn(8, 3, 16, 16, device=device), torch.randint(0, 10, (8,), device=device)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
""",
    "attention": """
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(64, 192), nn.Linear(64, 64)
    def forward(self, x):
        q, k, v = (t.view(4, 16, 4, 16).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
net = Attention().to(device)
opt = torch.optim.AdamW(net.parameters(), foreach=False)
for _ in range(4):
    loss = net(torch.randn(4, 16, 64, device=device)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "lstm": """
# The workspace of oneDNN's LSTM hangs on its version and the CPU: for one layer here 106,496 B with torch 2.4
# to 2.6 and 81,920 B with 2.13.
torch.backends.mkldnn.set_flags(False)
net, head = nn.LSTM(16, 32, 2, batch_first=True).to(device), nn.Linear(32, 1).to(device)
opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1, foreach=False)
for _ in range(4):
    loss = head(net(torch.randn(4, 8, 16, device=device))[0][:, -1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "checkpoints": """
blocks = nn.ModuleList(nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64)) for _ in range(4))
blocks.to(device)
opt = torch.optim.SGD(blocks.parameters(), lr=0.1, foreach=False)
for _ in range(4):
    x = torch.randn(128, 64, device=device)
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    opt.zero_grad()
    x.pow(2).mean().backward()
    opt.step()
""",
    "loader": """
net = nn.Linear(32, 4).to(device)
opt = torch.optim.Adam(net.parameters(), foreach=False)
data = TensorDataset(torch.randn(64, 32), torch.randint(0, 4, (64,)))
for epoch in range(2):
    for x, y in DataLoader(data, 8, shuffle=True, drop_last=True):
        loss = F.cross_entropy(net(x.to(device)), y.to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "growth": """
net = nn.Linear(64, 64).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=False)
kept = []
for _ in range(12):
    out = net(torch.randn(16, 64, device=device))
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept.append(out.detach())
""",
}

PLAIN = {
    "mlp": (848308, "optimizer", 586164, ()),
    "convolutions": (334308, "backward", 215876, ()),
    "attention": (381976, "forward", 266260, ()),
    "lstm": (207116, "forward", 119052, ()),
    "checkpoints": (1483528, "backward", 1091584, ()),
    "loader": (13004, "other", 11916, ()),
    "growth": (90632, "forward", 82436, (("out = net", 4096),)),
}
"""On the CPU: peak bytes of tensors, its phase, bytes after the last step, growing lines and their bytes."""

SIMULATED = {
    "mlp": (848292, "optimizer", 586148, ()),
    "convolutions": (334320, "backward", 215888, ()),
    "attention": (383000, "forward", 266244, ()),
    "lstm": (17057296, "backward", 119052, ()),
    "checkpoints": (1483528, "backward", 1091584, ()),
    "loader": (3468, "forward", 2116, ()),
    "growth": (90632, "forward", 82436, (("out = net", 4096),)),
}
"""The same on the simulated GPU, where data sets stay in host memory and each step of Adam counts there."""

BLOCKS = {
    "mlp": (67959808, 69206016),
    "convolutions": (67454464, 69206016),
    "attention": (67742720, 69206016),
    "lstm": (84169216, 88080384),
    "checkpoints": (68595200, 69206016),
    "loader": (67117056, 69206016),
    "growth": (67201024, 69206016),
}
"""Most bytes allocated and reserved on the simulated GPU, with two workspaces and what kernels work in."""


def facts(arm: Arm, text: str) -> tuple[Any, ...]:
    code = text.lstrip().splitlines()
    growth = tuple((code[row.line - 1].strip()[:9], row.bytes_per_step) for row in arm.growth)
    return arm.peak.bytes, arm.peak.phase, arm.steps[-1].bytes, growth


@pytest.mark.parametrize("name", SCRIPTS)
def test_bytes_on_the_cpu_are_those_of_every_torch(tmp_path: Path, name: str) -> None:
    text = BEGIN + SCRIPTS[name]
    arm = measure(script(tmp_path, text), tmp_path / "w", device="cpu")
    assert arm.failure is None
    assert facts(arm, text) == PLAIN[name]
    assert [note for note in arm.notes if "this torch" in note] == []


@needs_simulation
@pytest.mark.parametrize("name", SCRIPTS)
def test_bytes_on_the_simulated_gpu_are_those_of_every_torch(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What cuBLASLt works in differs between them.
    monkeypatch.setenv("TORCH_CUBLASLT_UNIFIED_WORKSPACE", "1")
    text = BEGIN + SCRIPTS[name]
    arm = simulated(tmp_path, text)
    assert arm.failure is None
    assert facts(arm, text) == SIMULATED[name]
    assert (arm.cuda["allocated_peak"], arm.cuda["reserved_peak"]) == BLOCKS[name]
    assert [note for note in arm.notes if "this torch" in note] == []
