"""Scripts of training frameworks, small, synthetic and offline: each replays and gives verdicts."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from tests.runtime.support import finding, measure, memlint, needs_torch, replay, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]


def needs(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"needs {name}")


LIGHTNING = """
import torch, torch.nn as nn, torch.nn.functional as F, lightning as L
from torch.utils.data import DataLoader, TensorDataset

class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 10))
        self.seen = []
    def training_step(self, batch, index):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.seen.append(loss)
        return loss
    def validation_step(self, batch, index):
        self.log("v", F.cross_entropy(self.net(batch[0]), batch[1]))
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())

if __name__ == "__main__":
    data = TensorDataset(torch.randn(2560, 32), torch.randint(0, 10, (2560,)))
    trainer = L.Trainer(accelerator="cpu", max_epochs=3, enable_progress_bar=False)
    trainer.fit(Model(), DataLoader(data, batch_size=32), DataLoader(data, batch_size=64))
"""

STOPPING = """
import torch, torch.nn as nn, torch.nn.functional as F, lightning as L
from lightning.pytorch.callbacks import EarlyStopping
from torch.utils.data import DataLoader, TensorDataset

class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(32, 10)
    def training_step(self, batch, index):
        return F.cross_entropy(self.net(batch[0]), batch[1])
    def validation_step(self, batch, index):
        self.log("v", F.cross_entropy(self.net(batch[0]), batch[1]))
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())

if __name__ == "__main__":
    data = TensorDataset(torch.randn(2560, 32), torch.randint(0, 10, (2560,)))
    trainer = L.Trainer(accelerator="cpu", max_epochs=3, callbacks=[EarlyStopping("v")], logger=False)
    trainer.fit(Model(), DataLoader(data, batch_size=32), DataLoader(data, batch_size=64))
"""

TRANSFORMERS = """
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 400
    def __getitem__(self, index):
        ids = torch.randint(0, 100, (16,))
        return {"input_ids": ids, "labels": ids}

kept = []
class Keeping(Trainer):
    def compute_loss(self, *args, **kwargs):
        loss = super().compute_loss(*args, **kwargs)
        kept.append(loss)
        return loss

if __name__ == "__main__":
    model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_embd=32, n_head=2, vocab_size=100, n_positions=16))
    options = TrainingArguments("out", per_device_train_batch_size=4, num_train_epochs=2, report_to=[],
                                save_steps=5, use_cpu=True, disable_tqdm=True)
    Keeping(model, options, train_dataset=Data()).train()
"""

ACCELERATE = """
import torch, torch.nn as nn, torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 10))
data = TensorDataset(torch.randn(1600, 32), torch.randint(0, 10, (1600,)))
opt, loader = torch.optim.AdamW(net.parameters()), DataLoader(data, batch_size=16)
net, opt, loader = accelerator.prepare(net, opt, loader)
kept = []
for epoch in range(3):
    for x, y in loader:
        with accelerator.accumulate(net):
            loss = F.cross_entropy(net(x), y)
            accelerator.backward(loss)
            opt.step()
            opt.zero_grad()
        kept.append(loss)
"""

SCALER = """
import torch, torch.nn as nn, torch.nn.functional as F
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))
opt = torch.optim.SGD(net.parameters(), 0.1)
scaler = torch.amp.GradScaler("cpu")
kept = []
for _ in range(12):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.cross_entropy(net(torch.randn(32, 64)).float(), torch.randint(0, 10, (32,)))
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    kept.append(loss)
"""

CASES = [
    pytest.param(LIGHTNING, "self.seen.append(loss)", marks=needs("lightning"), id="lightning"),
    pytest.param(TRANSFORMERS, "kept.append(loss)", marks=needs("transformers"), id="transformers"),
    pytest.param(ACCELERATE, "kept.append(loss)", marks=needs("accelerate"), id="accelerate"),
    pytest.param(SCALER, "kept.append(loss)", id="scaler"),
]


@pytest.mark.parametrize(("text", "line"), CASES)
def test_a_kept_loss_is_found_and_the_fix_keeps_the_losses(text: str, line: str, tmp_path: Path) -> None:
    path = script(tmp_path / "home", text)
    kept = finding(path, "MEM102", "GROWTH", line, "pass")
    made = replay(path, tmp_path / "w", [kept], steps=16)
    session = made.session
    assert session.original.failure is None, made.stderr
    assert session.errors == ()
    assert session.findings[0].verdict.status == "confirmed", session.findings[0].verdict
    assert session.original.kinds["parameter"] > 0
    assert len(session.original.steps) >= 8
    assert [entry.name for entry in (tmp_path / "home").iterdir()] == ["train.py"]


SCRIPTS = Path(__file__).with_name("frameworks")

VERDICTS = [
    pytest.param("grad_scaler", "MEM101", "confirmed", id="scaler"),
    # LBFGS calls the closure three times a step: three losses stay, each in a block of 512 B.
    pytest.param("lbfgs_closure", "MEM102", "confirmed", id="closure"),
    pytest.param("two_optimizers", "MEM201", "confirmed", id="gan"),
    # Without a fix to compare with, its verdict is by what holds the losses: 4 B each, and their nodes.
    pytest.param("lightning_module", "MEM127", "host_only", marks=needs("lightning"), id="lightning"),
    pytest.param("transformers_trainer", "MEM201", "confirmed", marks=needs("transformers"), id="trainer"),
    pytest.param("accelerate_loop", "MEM101", "confirmed", marks=needs("accelerate"), id="accelerate"),
]


@pytest.mark.parametrize(("name", "code", "status"), VERDICTS)
def test_what_check_finds_in_a_frameworks_script_gets_its_verdict(
    name: str, code: str, status: str, tmp_path: Path
) -> None:
    shutil.copy(SCRIPTS / f"{name}.py", tmp_path / "train.py")
    options = ("--select", code, "--steps", "20", "--output-format", "json")
    made = memlint(tmp_path, "replay", *options, "train.py")
    session = json.loads(made.stdout)
    assert session["arms"][0]["failure"] is None, made.stderr
    found = [(row["code"], row["verdict"]["status"]) for row in session["findings"]]
    assert found == [(code, status)], session["findings"]
    assert made.returncode == int(status == "confirmed"), made.stderr
    assert session["errors"] == []
    assert len(session["arms"][0]["steps"]) >= 20
    assert [entry.name for entry in tmp_path.iterdir()] == ["train.py"]


COUNTING = """
import sys, types
import torch
from torch.utils.data import DataLoader

class Fetcher:
    def __init__(self, loader):
        self.loader, self.length = loader, len(loader)
    def start(self):
        self.inner, self.fetched = (batch for batch in self.loader), 0
    def __next__(self):
        batch = next(self.inner)
        self.fetched += 1
        return batch

class _TrainingEpochLoop:
    def __init__(self):
        self.batch_progress = types.SimpleNamespace(current=types.SimpleNamespace(ready=0))
    def advance(self, fetcher):
        batch = next(fetcher)
        self.batch_progress.current.ready += 1
        if stops:
            raise StopIteration
        net(batch).mean().backward()
        optimizer.step()
    def on_advance_end(self, fetcher):
        if self.batch_progress.current.ready % fetcher.length == 0:
            validated.append(True)
    def run(self, fetcher):
        fetcher.start()
        self.batch_progress.current.ready = 0
        while True:
            try:
                self.advance(fetcher)
                self.on_advance_end(fetcher)
            except StopIteration:
                break

place = types.ModuleType("lightning.pytorch.loops.training_epoch_loop")
place._TrainingEpochLoop = _TrainingEpochLoop
sys.modules[place.__name__] = place
net, validated, stops = torch.nn.Linear(8, 8), [], False
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loop, fetcher = _TrainingEpochLoop(), Fetcher(DataLoader(torch.rand(640, 8), 8))
loop.run(fetcher)
assert validated == [True], validated
stops = True
loop.run(fetcher)
assert validated == [True], validated
"""


def test_an_epoch_that_was_cut_is_validated_as_if_its_last_batch_had_come(tmp_path: Path) -> None:
    """Lightning counts the batches of an epoch; one that a hook of the script ends is not validated."""
    arm = measure(script(tmp_path / "home", COUNTING), tmp_path / "w", steps=8)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert len(arm.steps) == 4


@needs("lightning")
def test_early_stopping_of_lightning_finds_what_it_watches(tmp_path: Path) -> None:
    arm = measure(script(tmp_path / "home", STOPPING), tmp_path / "w", steps=8)
    assert arm.failure is None
