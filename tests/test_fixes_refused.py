"""Findings that stay, but whose fix would break the script."""

from __future__ import annotations

import pytest

from memlint.engine import check as engine
from memlint.finding import Applicability

EXTENDS = """\
import torch
import torch.distributed as dist
model = torch.nn.Linear(4, 512).cuda()
@torch.no_grad()
def outputs(loader):
    kept = []
    for x in loader:
        out = model(x.cuda())
        parts = [torch.empty_like(out) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, out)
        kept.{store}
    return kept
"""
SERVES = """\
import backend
import {library}
if backend.NAME == "torch":
    import torch
def evaluate(network: "torch.nn.Module", loss_fn, data):
    network.eval()
    test_loss = 0
    for x, y in data:
        test_loss += loss_fn(network(x), y)
    print(test_loss / len(data))
"""
REGION = """\
import torch
from torch import autocast, nn
def run(model, loader, epochs):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(epochs):
        with HEADER:
            for images, labels in loader:
                optimizer.zero_grad()
                loss = criterion(model(images.cuda()), labels.cuda())
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
run(nn.Linear(784, 10).cuda(), [(torch.randn(8, 784), torch.randint(0, 10, (8,)))] * 10, 3)
"""
PARTS = """\
import torch
from lib import build, Criterion
from data import loader
model, criterion = build(), Criterion()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
kept = []
for x, y in loader:
    loss, kl_loss, extra = criterion(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept.append({kept})
print({after})
"""
SEVERAL = """\
import torch
from lib import build, loss_of
from data import loader
model = build()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
def told(out, y) -> dict[str, torch.Tensor]:
    return loss_of(out, y)
kept = []
for x, y in loader:
    out = model(x)
    parts = {made}
    loss = sum(parts)
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept.append(parts)
print({after})
"""
CHOSEN = """\
import torch
def train(net, loader, {given}):
    net = net.cuda()
    optimizer = {made}(net.parameters())
    for x in loader:
        net(x.cuda()).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
"""
PIECES = """\
import torch
from data import loader
model = torch.nn.Linear(4, 400)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
kept = []
for x, y in loader:
    out = model(x)
    loss = torch.nn.functional.mse_loss(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept.{how}({kept})
print(kept)
"""
_PIECES = {
    "out.relu()": True,
    "out.unsqueeze(0)": True,
    "out.unbind()": False,
    "torch.chunk(out, 4, 1)": False,
    "torch.linalg.svd(out)": False,
    "torch.var_mean(out)": False,
    "tuple(out)": False,
    "list(out)": False,
    "out.aminmax()": False,
    "out.frobnicate()": False,
}
DRAWN = """\
import torch
from torch.utils.data import DataLoader
def fit(net, loss_of, optimizer, rows, held_out):
    {unless}val_loader = DataLoader(held_out, batch_size=32, shuffle=False, num_workers=2)
    for epoch in range(100):
        for x, y in DataLoader(rows, batch_size=32):
            optimizer.zero_grad()
            loss_of(net(x), y).backward()
            optimizer.step()
            if held_out:
                val_batch = next(iter(val_loader))
                print(loss_of(net(val_batch[0]), val_batch[1]).item())
"""
SECOND = """\
import torch
from data import loader, made
net = torch.nn.Linear(4, 3)
optimizer = {made}
for x, y in loader:
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward(create_graph=True)
    optimizer.step()
"""
CLIPPED = """\
import torch
def train(net, opt, scaler, loader, fp16):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = (net(x) - y).pow(2).mean()
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        {late}
        scaler.step(opt)
        scaler.update()
"""
SCALED = """\
import torch
def fit(model, loader, optimizer, fp16):
    scaler = torch.amp.GradScaler("cuda") if fp16 else None
    for x, y in loader:
        loss = model(x, y)
        {when}
            scaler.scale(loss).backward()
        optimizer.step()
        optimizer.zero_grad()
"""
LOADED = """\
import torch
def resume(model, path):
    model = model.cuda()
    state = torch.load(path)
    for k, v in state["parts"].items():
        {taken}
    model.load_state_dict(state["model"])
    return model
"""
ENDLESS = """\
import itertools
import torch
from torch.utils.data import DataLoader, IterableDataset
from data import digits, make_loader
class Lines(IterableDataset):
    def __iter__(self):
        yield from open("lines.txt")
class Sized(Lines):
    def __len__(self):
        return 1000
model = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader = {made}
{kept}
for step in range(1000):
    x, y = next(batches)
    opt.zero_grad()
    torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
    opt.step()
"""
PADDED = """\
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from data import loader
tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2")
opt = torch.optim.AdamW(model.parameters())
{other}
for texts in loader:
    batch = tokenizer(texts, padding="max_length", truncation=True, max_length=1024, return_tensors="pt")
    loss = model(**batch, labels=batch["input_ids"], {given}).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
DOUBLED = """\
import numpy as np
import torch
from data import other
drawn = torch.from_numpy(np.random.rand(100, 100)).to("cuda")
{use}
"""
DEFAULT = """\
import torch
{imports}
torch.set_default_dtype(torch.float64)
net = torch.nn.Linear(4, 4).to("cuda")
print(net({given}).mean())
"""
CYCLED = "batches = itertools.cycle({})"
COUNTED = "batches = iter(train_loader)\nprint(len(list(train_loader)))"
HOOKED = """\
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(64, 4)
        {hook}
    def forward(self, x):
        return x + self.attend(x, x, x)[0]
"""
COLLATED = """\
import torch
from torch.utils.data import DataLoader, default_collate
def gather(rows):
    return default_collate(rows).cuda()
model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.randn(64, 4), 8, num_workers=2, collate_fn=gather):
    optimizer.zero_grad()
    model(x.cuda()).sum().backward()
    optimizer.step()
{after}
"""
KEPT = """\
import torch
from lib import build, loader
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
class History:
    def __init__(self):
        self.kept = []
    def add(self, out):
        self.kept.append({part})
history = History()
for x in loader:
    out = model(x)
    history.add(out)
    loss = {loss}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
FUNCTION = """\
import torch
from torch.autograd import Function
class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x**3
    @staticmethod
    def backward(ctx, grad):
        return {gradient}
def act(h):
    return {use}
"""
VIEWS = """\
import torch
model = torch.nn.Linear(4, 512)
def center(rows):
    rows -= rows.mean()
class Bank:
    def center(self, rows):
        rows.div_(rows.std())
    @torch.no_grad()
    def fill(self, loader):
        kept = []
        for x in loader:
            features = model(x).view(-1, 8, 64)
            kept.append(features[:, 3])
            {line}
        return torch.cat(kept)
"""
RETRY = """\
import sys
import torch
model = torch.nn.Linear(4, 512).cuda()
def note():
    {noted}
def step(x):
    model(x.cuda()).sum().backward()
for x in torch.randn(9, 8, 4):
    try:
        step(x)
    except torch.cuda.OutOfMemoryError:
        step(x[:4])
        note()
"""
KEPT_IN_EPOCH = """\
import torch
import pytorch_lightning as pl
class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 512)
        self.kept = []
    def validation_step(self, batch, batch_idx):
        self.kept.append(self.net(batch))
    def on_validation_epoch_end(self):
        self.log("mean", torch.cat(self.kept).mean())
{other}
"""
BUFFER = """\
import torch
from gym import make
env = make("CartPole-v1")
critic = torch.nn.Linear(4, 1)
opt = torch.optim.Adam(critic.parameters())
buffer = []
for episode in range(9):
    s, done = env.reset(), False
    while not done:
        value = critic(s)
        s, r, done, _ = env.step(0)
        buffer.{store}
        opt.zero_grad()
        (critic(s) - r).pow(2).sum().backward()
        opt.step()
"""
FROZEN = """\
import torch
model = build()
for p in model.parameters():
    p.require_grad = False
{head}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def step(x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()
"""
APEX = """\
import torch
from apex import amp
def train(net, criterion, batches, k):
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer = amp.initialize(net, optimizer, {options})
    for i, (x, y) in enumerate(batches):
        loss = {loss}
        with amp.scale_loss(loss, optimizer) as scaled:
            scaled.backward()
        {after}
        if i % k == 0:
            {inside}
            optimizer.step()
            optimizer.zero_grad()
"""
_APEX = {"options": 'opt_level="O1"', "loss": "criterion(net(x), y)", "after": "pass", "inside": "pass"}
_NORM = "print(next(net.parameters()).grad.norm())"
RESUMED = """\
import torch
def resume(net, path, ema):
    saved = torch.load(path)
    net.load_state_dict(saved["net"])
    {more}
    return net.cuda()
"""
RETURNED = """\
import torch
class Trainer:
    def __init__(self, net):
        self.net = net.cuda()
    def save(self, path):
        torch.save({{"net": self.net, "state": self.net.state_dict()}}, path)
    def load(self, path):
        saved = torch.load(path)
        net = saved["net"]
        net.load_state_dict(saved["state"])
        return net{moved}
"""
RUNNING = """\
import torch
class Agent:
    def load(self, path, target):
        self.net = torch.load(path){moved}
        target.cuda().load_state_dict(self.net.state_dict())
    def start(self):
        self.net.cuda()
    def act(self, state):
        return self.net(state.cuda()).argmax(1)
"""
RANKED = """\
import os
import torch
import torch.distributed as dist
def main(loader):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    local_rank = int(os.environ.get("LOCAL_RANK", {default}))
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 1).cuda())
    for x in loader:
        model(x.cuda()).sum().backward()
    print(local_rank, rank)
"""
MARKED = """\
import torch
table = torch.{made}
table.require_grad = True
{after}
"""
AUTOCAST = """\
import torch
def prefer(dtype):
    {asked}
        torch.set_autocast_gpu_dtype(dtype)
"""
LARGE = """import torch
from transformers import LlamaForCausalLM

model = LlamaForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf").cuda()
optimizer = torch.optim.AdamW(model.parameters())
saved = torch.load("last.pt", map_location="cpu"{how})
model.load_state_dict(saved["model"])
optimizer.load_state_dict(saved["optimizer"])
for batch in loader:
    optimizer.zero_grad()
    model(**batch).loss.backward()
    optimizer.step()
"""
FOLDS = """import tensorflow as tf
from models import base
from tensorflow.keras.layers import Dense

for fold in range(5):
    model = {made}
    model.compile("sgd", "mse")
    model.fit(x, y)
"""
GATHERED = """\
import torch
from torch.utils.data import DataLoader
from sets import rows, nested
class Batch(dict):
    def to(self, device):
        return Batch({{k: v.to(device) for k, v in self.items()}})
def stack(items):
    return torch.stack([a for a, _ in items]), torch.stack([b for _, b in items])
def wrap(items):
    return Batch(x=torch.stack([a for a, _ in items])), torch.stack([b for _, b in items])
net = torch.nn.Linear(4, 3).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(rows, 8, pin_memory=True, collate_fn={collate}):
    x, y = x.to("cuda"), y.to("cuda")
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
"""
SUMMED = """\
import torch
import torch.nn.functional as F
def train(net, optimizer, batches):
    for x, y in batches:
        {before}
        total = 0
        for a, b in zip(x.chunk(4), y.chunk(4)):
            total += F.mse_loss(net(a), b)
        {last}
"""
MISSPELT = """\
import torch
from nets import Net
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
{frozen}
for x, y in batches:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
JOINED = """\
import torch
import torch.nn.functional as F
def train(net, optimizer, batches):
    losses = torch.zeros(len(batches))
    for i, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        {lines}
        optimizer.step()
"""

CASES = {
    "gradients that are cleared beside the backward of a sum": (
        "MEM118",
        SUMMED.format(before="pass", last="optimizer.zero_grad(); total.backward(); optimizer.step()"),
        False,
    ),
    "gradients that are cleared before a sum": (
        "MEM118",
        SUMMED.format(before="optimizer.zero_grad()", last="total.backward(); optimizer.step()"),
        True,
    ),
    "a network that is trained": ("MEM908", MISSPELT.format(frozen="net.require_grad = False"), False),
    "one whose parameters are, on one line": (
        "MEM908",
        MISSPELT.format(frozen="for p in net.parameters(): p.require_grad = False"),
        False,
    ),
    "a part of a network": ("MEM908", MISSPELT.format(frozen="net.body.require_grad = False"), True),
    "batches of torch": ("MEM410", GATHERED.format(collate="None"), True),
    "batches that a function stacks": ("MEM410", GATHERED.format(collate="stack"), True),
    "batches of a class": ("MEM410", GATHERED.format(collate="wrap"), False),
    "batches of a function out of view": ("MEM410", GATHERED.format(collate="nested"), False),
    "losses through which their own backward runs": (
        "MEM102",
        JOINED.format(lines="losses[i] = F.mse_loss(net(x), y)\n        losses[i].backward()"),
        False,
    ),
    "losses that are put beside others after backward": (
        "MEM102",
        JOINED.format(
            lines="loss = F.mse_loss(net(x), y) * (1 + losses.mean())\n        "
            "loss.backward()\n        losses[i] = loss"
        ),
        True,
    ),
    "a function and its node": (
        "MEM117",
        FUNCTION.format(gradient="3 * ctx.x**2 * grad", use="Cube.apply(h)"),
        True,
    ),
    "a node that a function gets": (
        "MEM117",
        FUNCTION.format(gradient="slope(ctx) * grad", use="Cube.apply(h)")
        + "def slope(node):\n    return 3 * node.x**2\n",
        False,
    ),
    "a node that another class reads": (
        "MEM117",
        FUNCTION.format(gradient="3 * ctx.x**2 * grad", use="Cube.apply(h)")
        + "class Half(Cube):\n    @staticmethod\n    def backward(ctx, grad):\n        return ctx.x * grad\n",
        False,
    ),
    "an input that is written later": (
        "MEM117",
        FUNCTION.format(gradient="3 * ctx.x**2 * grad", use="Cube.apply(h) + h.flatten().mul_(2)"),
        False,
    ),
    "an input that another class than this gets": (
        "MEM117",
        FUNCTION.format(gradient="3 * ctx.x**2 * grad", use="Cube.apply(h.clone()) + h.flatten().mul_(2)"),
        True,
    ),
    "a view whose base stays as it is": ("MEM104", VIEWS.format(line="print(features.mean())"), True),
    "a view whose base a function writes": ("MEM104", VIEWS.format(line="center(features)"), False),
    "a view whose base a method writes": ("MEM104", VIEWS.format(line="self.center(features)"), False),
    "a view whose base is written under another name": (
        "MEM104",
        VIEWS.format(line="flat = features.flatten(1); flat.zero_()"),
        False,
    ),
    "a view whose base is written through its data": (
        "MEM104",
        VIEWS.format(line="features.data.add_(1)"),
        False,
    ),
    "a view whose base a function of torch writes": (
        "MEM104",
        VIEWS.format(line="torch.relu_(features)"),
        False,
    ),
    "a view whose base an activation writes": (
        "MEM104",
        VIEWS.format(line="torch.nn.functional.relu(features, inplace=True)"),
        False,
    ),
    "a view whose base is written in a tuple": (
        "MEM104",
        VIEWS.format(line="both = (features, x); both[0].zero_()"),
        False,
    ),
    "a view whose base is written where one of two is chosen": (
        "MEM104",
        VIEWS.format(line="(features if x.ndim else x).zero_()"),
        False,
    ),
    "a view whose base is only read in a tuple": (
        "MEM104",
        VIEWS.format(line="both = (features, x); print(both[0].sum())"),
        True,
    ),
    "a retry": ("MEM115", RETRY.format(noted="print('retried')"), True),
    "a retry after which the exception is read": (
        "MEM115",
        RETRY.format(noted="print(sys.exc_info()[0])"),
        False,
    ),
    "one value in a buffer": ("MEM116", BUFFER.format(store="append(value)"), True),
    "a list of one value in a buffer": ("MEM116", BUFFER.format(store="extend([value])"), False),
    "a list that only the hook reads": ("MEM127", KEPT_IN_EPOCH.format(other=""), True),
    "a list that a callback reads": (
        "MEM127",
        KEPT_IN_EPOCH.format(
            other="class Show(pl.Callback):\n    def on_train_epoch_end(self, trainer, pl_module):\n"
            "        print(len(pl_module.kept))"
        ),
        False,
    ),
    "a list that a property reads": (
        "MEM127",
        KEPT_IN_EPOCH.format(
            other="    @property\n    def best(self):\n        return max(k.max() for k in self.kept)"
        ),
        False,
    ),
    "a list that is read after training": (
        "MEM127",
        KEPT_IN_EPOCH.format(other="lit = Lit()\npl.Trainer().fit(lit)\nprint(torch.cat(lit.kept).mean())"),
        False,
    ),
    "a list of the same name in another class": (
        "MEM127",
        KEPT_IN_EPOCH.format(other="class Log:\n    def show(self):\n        print(self.kept)"),
        True,
    ),
    "an output": ("MEM105", KEPT.format(part="out", loss="out.mean()"), True),
    "an output of several parts": ("MEM105", KEPT.format(part="out", loss="out.loss"), False),
    "the attribute of an output": ("MEM105", KEPT.format(part="out.loss", loss="criterion(out, x)"), False),
    "the key of an output": ("MEM105", KEPT.format(part="out['loss']", loss="criterion(out, x)"), False),
    "one loader, whose batches are moved": ("MEM407", COLLATED.format(after=""), True),
    "another loader, whose batches are not": (
        "MEM407",
        COLLATED.format(
            after="for x in DataLoader(torch.randn(64, 4), 8, collate_fn=gather):\n    print(model(x))"
        ),
        False,
    ),
    "a loader, cycled": (
        "MEM404",
        ENDLESS.format(made="DataLoader(digits, 8)", kept=CYCLED.format("train_loader")),
        True,
    ),
    "the iterator of a loader, made and cycled": (
        "MEM404",
        ENDLESS.format(made="DataLoader(digits, 8)", kept=CYCLED.format("iter(train_loader)")),
        True,
    ),
    "an iterator, cycled": (
        "MEM404",
        ENDLESS.format(made="iter(DataLoader(digits, 8))", kept=CYCLED.format("train_loader")),
        False,
    ),
    "what may be a generator, cycled": (
        "MEM404",
        ENDLESS.format(made="make_loader(digits)", kept=CYCLED.format("train_loader")),
        False,
    ),
    "a loader, counted": ("MEM404", ENDLESS.format(made="DataLoader(digits, 8)", kept=COUNTED), True),
    "a loader over samples without a length": (
        "MEM404",
        ENDLESS.format(made="DataLoader(Lines(), 8)", kept=COUNTED),
        False,
    ),
    "a loader over samples with a length": (
        "MEM404",
        ENDLESS.format(made="DataLoader(Sized(), 8)", kept=COUNTED),
        True,
    ),
    "what may have no length": ("MEM404", ENDLESS.format(made="make_loader(digits)", kept=COUNTED), False),
    "a sum of arrays": ("MEM304", DOUBLED.format(use="print((drawn + other).sum())"), True),
    "a product of arrays": ("MEM304", DOUBLED.format(use="print((2 * drawn) @ other)"), False),
    "a product by its method": ("MEM304", DOUBLED.format(use="print(drawn.t().mm(other))"), False),
    "an array in another": ("MEM304", DOUBLED.format(use="other[0] = drawn"), False),
    "a default for torch's own tensors": (
        "MEM304",
        DEFAULT.format(imports="import math", given='torch.randn(2, 4, device="cuda")'),
        True,
    ),
    "a default for data of others": (
        "MEM304",
        DEFAULT.format(imports="from data import batch", given="batch.cuda()"),
        False,
    ),
    "a network in float64": (
        "MEM304",
        "import torch\nfrom data import batch\nnet = torch.nn.Linear(4, 4).cuda().double()\nnet(batch)\n",
        False,
    ),
    "texts of any length": ("MEM415", PADDED.format(other="seed = 1024", given=""), True),
    "positions of all texts": (
        "MEM415",
        PADDED.format(other="places = torch.arange(1024)", given="position_ids=places[None]"),
        False,
    ),
    "a mask of one size": (
        "MEM415",
        PADDED.format(other="mask = torch.ones(1024, 1024).tril()", given="attention_mask=mask[None]"),
        False,
    ),
    "parts joined": ("MEM606", EXTENDS.format(store="append(torch.cat(parts))"), True),
    "parts one by one": ("MEM606", EXTENDS.format(store="extend(parts)"), False),
    "Apex in mixed precision": ("MEM901", APEX.format(**_APEX), True),
    "Apex without mixed precision": ("MEM901", APEX.format(**{**_APEX, "options": 'opt_level="O0"'}), False),
    "Apex by a switch": ("MEM901", APEX.format(**{**_APEX, "options": "enabled=k > 1"}), False),
    "a loss that autocast refuses": (
        "MEM901",
        APEX.format(**{**_APEX, "loss": "torch.nn.BCELoss()(net(x), y)"}),
        False,
    ),
    "gradients read for each step": ("MEM901", APEX.format(**{**_APEX, "inside": _NORM}), True),
    "gradients read for each batch": ("MEM901", APEX.format(**{**_APEX, "after": _NORM}), False),
    "a checkpoint that fills a network": ("MEM701", RESUMED.format(more="print(saved['epoch'])"), True),
    "a tensor of a checkpoint kept": ("MEM701", RESUMED.format(more="ema.shadow = saved['ema']"), False),
    "a network of a checkpoint that is moved": ("MEM701", RETURNED.format(moved=".cuda()"), True),
    "a network of a checkpoint given back": ("MEM701", RETURNED.format(moved=""), False),
    "a network of a checkpoint in eval mode": ("MEM701", RETURNED.format(moved=".eval()"), False),
    "a network that runs elsewhere and gives its weights": ("MEM701", RUNNING.format(moved=""), False),
    "a network that is moved, runs and gives its weights": ("MEM701", RUNNING.format(moved=".cuda()"), True),
    "a tensor of a checkpoint as a parameter": (
        "MEM701",
        RESUMED.format(more="net.head = torch.nn.Parameter(saved['head'])"),
        False,
    ),
    "a rank by the environment": ("MEM602", RANKED.format(default=0), True),
    "a rank by what is bound later": ("MEM602", RANKED.format(default="rank"), False),
    "a frozen network with a head": ("MEM908", FROZEN.format(head="model.fc = head()"), True),
    "a frozen network as it is": ("MEM908", FROZEN.format(head="model.train()"), False),
    "gradients of a tensor": ("MEM908", MARKED.format(made="zeros(8)", after="print(table)"), True),
    "gradients of integers": ("MEM908", MARKED.format(made="arange(8).long()", after="print(table)"), False),
    "gradients, written to": ("MEM908", MARKED.format(made="zeros(8)", after="table[0] = 1"), False),
    "a setting by its old name": ("MEM904", AUTOCAST.format(asked="if dtype is not None:"), True),
    "an old name that is asked for": (
        "MEM904",
        AUTOCAST.format(asked='if hasattr(torch, "set_autocast_gpu_dtype"):'),
        False,
    ),
    "a checkpoint for a large network": ("MEM705", LARGE.format(how=""), True),
    "a checkpoint that is not to be mapped": ("MEM705", LARGE.format(how=", mmap=False"), False),
    "a model built in each pass": ("MTF108", FOLDS.format(made="tf.keras.Sequential([Dense(3)])"), True),
    "a model cloned in each pass": ("MTF108", FOLDS.format(made="tf.keras.models.clone_model(base)"), False),
    "a model of a base of each pass": (
        "MTF108",
        FOLDS.format(
            made="tf.keras.applications.VGG16()\n    model = tf.keras.Model(model.input, model.output)"
        ),
        True,
    ),
    "a model of parts of another one": (
        "MTF108",
        FOLDS.format(made="tf.keras.Model(inputs=base.inputs, outputs=base.layers[fold].output)"),
        False,
    ),
    "a scaler that every step uses": ("MEM303", SCALED.format(when="with timed():"), True),
    "a scaler that is there with a flag": ("MEM303", SCALED.format(when="if fp16:"), False),
    "a part of a loss that is joined": (
        "MEM102",
        PARTS.format(kept="extra", after="torch.stack(kept)"),
        True,
    ),
    "a part of a loss that may be anything": ("MEM102", PARTS.format(kept="extra", after="kept"), False),
    "a part of a loss that another library joins": (
        "MEM102",
        PARTS.format(kept="extra", after="xarray.concat(kept)").replace(
            "import torch", "import torch, xarray"
        ),
        False,
    ),
    "a part of a loss by the name of a loss": ("MEM102", PARTS.format(kept="kl_loss", after="kept"), True),
    "losses that are joined": (
        "MEM102",
        SEVERAL.format(made="loss_of(out, y)", after="torch.stack(kept)"),
        True,
    ),
    "losses that may be a list": ("MEM102", SEVERAL.format(made="loss_of(out, y)", after="kept"), False),
    "losses by name": (
        "MEM102",
        SEVERAL.format(made="loss_of(out, y)", after="kept").replace("sum(parts)", "sum(parts.values())"),
        False,
    ),
    "losses that are said to be a dictionary": (
        "MEM102",
        SEVERAL.format(made="told(out, y)", after="torch.stack(kept)"),
        False,
    ),
    **{
        f"kept: {kept}": ("MEM102", PIECES.format(how="append", kept=kept), fits)
        for kept, fits in _PIECES.items()
    },
    "pieces one by one": ("MEM102", PIECES.format(how="extend", kept="out.split(4)"), False),
    "rows one by one": ("MEM102", PIECES.format(how="extend", kept="out"), True),
    "a loader that is there": ("MEM405", DRAWN.format(unless=""), True),
    "a loader that may not be there": ("MEM405", DRAWN.format(unless="if held_out: "), False),
    "second derivatives for an optimizer of torch": (
        "MEM109",
        SECOND.format(made="torch.optim.SGD(net.parameters(), lr=0.1)"),
        True,
    ),
    "second derivatives for some optimizer": ("MEM109", SECOND.format(made="made(net)"), False),
    "a late unscale that can be moved": ("MEM303", CLIPPED.format(late="scaler.unscale_(opt)"), True),
    "a late unscale by a flag": ("MEM303", CLIPPED.format(late="if fp16: scaler.unscale_(opt)"), False),
    "weights that a network takes in": ("MEM701", LOADED.format(taken="model.load_state_dict(v)"), True),
    "members that stay as they are": ("MEM701", LOADED.format(taken="setattr(model, k, v)"), False),
    "a class under another name": ("MEM804", CHOSEN.format(given="kind=1", made="torch.optim.Adam"), True),
    "a class that a caller may choose": (
        "MEM804",
        CHOSEN.format(given="kind=None", made="(torch.optim.Adam if kind is None else kind)"),
        False,
    ),
    "one of two classes": (
        "MEM804",
        CHOSEN.format(given="fast", made="(torch.optim.Adam if fast else torch.optim.Rprop)"),
        False,
    ),
    "no hook": ("MEM803", HOOKED.format(hook="self.seen = 0"), True),
    "a hook": ("MEM803", HOOKED.format(hook="self.attend.register_forward_hook(print)"), False),
    "a sum for torch": ("MEM101", SERVES.format(library="numpy"), True),
    "a sum for torch and MindSpore": ("MEM101", SERVES.format(library="mindspore"), False),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fix_is_there_only_where_the_value_allows_it(name: str) -> None:
    code, text, expected = CASES[name]
    report = engine.check(text, "t.py", engine.Checks(frozenset({code}), frozenset({code}), "t.py"))
    assert not report.failed
    (finding,) = report.findings
    assert (finding.fix is not None) == expected


@pytest.mark.parametrize(("header", "offered"), [('autocast("cuda")', True), ('autocast(\n"cuda"\n)', False)])
def test_a_region_whose_header_stands_further_left_is_not_moved(header: str, offered: bool) -> None:
    """Taken one level in, the lines of the header would stay, and the rest could not be dedented."""
    code = REGION.replace("HEADER", header)
    checks = engine.Checks(frozenset({"MEM302"}), frozenset(), "train.py")
    (finding,) = engine.check(code, "train.py", checks).findings
    titles = [fix.title for fix in (finding.fix, *finding.alternatives) if fix is not None]
    assert any(title.startswith("open the region") for title in titles) is offered


def test_another_amount_of_memory_in_the_place_of_one_that_torch_never_had_is_only_shown() -> None:
    text = "import torch\n\nx = torch.zeros(3).cuda()\nprint(torch.cuda.get_memory_info())\n"
    report = engine.check(text, "t.py", engine.Checks(frozenset({"MEM902"}), frozenset({"MEM902"}), "t.py"))
    (finding,) = report.findings
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.DISPLAY
