"""What a call into another module of the project does is reported where the call decides that it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.engine import check as engine
from memlint.finding import Applicability
from tests.test_project import findings, write

KERAS = """
import gc

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.model = net_for(16)

    def act(self, state):
        return int(np.argmax(self.model.predict(state[None], verbose=0)))

    def quick(self, state):
        return int(np.argmax(self.model(state[None], training=False)))


def net_for(width):
    net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(width), tf.keras.layers.Dense(2)])
    net.compile("adam", "mse")
    return net


def choose_policy():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")


def allow_growth():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def cleanup():
    tf.keras.backend.clear_session()
    gc.collect()
"""

TORCH = """
import os

import torch


def choose_gpu(number):
    os.environ["CUDA_VISIBLE_DEVICES"] = number


def on_all(net):
    return torch.nn.DataParallel(net) if torch.cuda.device_count() > 1 else net


def without_prefix(net, path):
    wrapped = torch.nn.DataParallel(net)
    wrapped.load_state_dict(torch.load(path, map_location="cpu"))
    return wrapped.module


def collate(rows):
    return torch.stack(rows).cuda()


def masked(rows):
    rows = torch.stack(rows).to("cuda")
    return rows, torch.ones(rows.shape, device="cuda")


def on_cpu(rows):
    return torch.stack(rows)
"""

TRAINING = """
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for x in loader:
    optimizer.zero_grad()
    net(x.cuda()).mean().backward()
    optimizer.step()
"""

LOADER = """
import torch
import torch_tools
from torch.utils.data import DataLoader

net = torch.nn.Linear(4, 1).cuda()
loader = DataLoader(torch.rand(9, 4), 3, num_workers=2, collate_fn=torch_tools.{collate})
"""

REPORTED = {
    "one state after the other": (
        "from keras_tools import Agent\nimport gym\nagent, env = Agent(), gym.make('Pong')\n"
        "state = env.reset()\nwhile True:\n    state, reward, done, info = env.step(agent.act(state))\n",
        [("MTF111", 6)],
    ),
    "models of a search": (
        "from keras_tools import net_for\nimport numpy as np\nx, y = np.ones((9, 4)), np.ones((9, 2))\n"
        "for width in range(8, 64):\n    net = net_for(width)\n    print(width, net.fit(x, y).history)\n",
        [("MTF108", 5)],
    ),
    "the policy was set elsewhere": (
        "import tensorflow as tf\nfrom keras_tools import choose_policy, net_for\nchoose_policy()\n"
        "for width in (8, 16):\n    tf.keras.backend.clear_session()\n    net_for(width).fit(None)\n",
        [("MTF105", 5), ("MTF114", 6)],
    ),
    "growth after the model": (
        "from keras_tools import allow_growth, net_for\n\nif __name__ == '__main__':\n"
        "    model = net_for(8)\n    allow_growth()\n    model.summary()\n",
        [("MTF102", 5)],
    ),
    "cleared between the steps": (
        "import tensorflow as tf\nfrom keras_tools import cleanup, net_for\nmodel = net_for(8)\n"
        "for x, y in tf.data.Dataset.range(9).prefetch(1):\n    model.train_on_batch(x, y)\n    cleanup()\n",
        [("MTF106", 6)],
    ),
    "the GPU is chosen too late": (
        "import torch\nfrom torch_tools import choose_gpu\n\nif __name__ == '__main__':\n"
        "    net = torch.nn.Linear(4, 1).cuda()\n    choose_gpu('1')\n",
        [("MEM503", 6)],
    ),
    "replicas by a helper": (
        "import torch\nfrom torch_tools import on_all\nfrom data import loader\n"
        "net = on_all(torch.nn.Linear(4, 1).cuda())\n" + TRAINING,
        [("MEM601", 4)],
    ),
    "batches that workers put on the GPU": (LOADER.format(collate="collate") + TRAINING, [("MEM407", 7)]),
    "batches that workers put on the GPU in two ways": (
        LOADER.format(collate="masked") + TRAINING,
        [("MEM407", 7)],
    ),
}

SILENT = {
    "the model is called": REPORTED["one state after the other"][0].replace("agent.act", "agent.quick"),
    "cleared for each model": (
        "from keras_tools import cleanup, net_for\nfor width in range(8, 64):\n    cleanup()\n"
        "    net_for(width).fit(None)\n"
    ),
    "growth first": (
        "from keras_tools import allow_growth, net_for\n\nif __name__ == '__main__':\n    allow_growth()\n"
        "    net_for(8).summary()\n"
    ),
    "the GPU is chosen first": (
        "import torch\nfrom torch_tools import choose_gpu\n\nif __name__ == '__main__':\n"
        "    choose_gpu('1')\n    net = torch.nn.Linear(4, 1).cuda()\n"
    ),
    "wrapped for the names of its weights": (
        "import torch\nfrom torch_tools import without_prefix\nfrom data import loader\n"
        "net = without_prefix(torch.nn.Linear(4, 1).cuda(), 'old.pt')\n" + TRAINING
    ),
    "batches stay on the CPU": LOADER.format(collate="on_cpu") + TRAINING,
}


def project(folder: Path, script: str) -> list[tuple[str, int]]:
    """What is reported in a script beside the two modules, which have nothing to report by themselves."""
    write(folder, keras_tools=KERAS, torch_tools=TORCH, train=script)
    assert findings(folder, "keras_tools.py") == []
    return findings(folder, "train.py")


@pytest.mark.parametrize("title", REPORTED)
def test_a_call_that_makes_it_wrong_is_reported(title: str, tmp_path: Path) -> None:
    script, expected = REPORTED[title]
    assert project(tmp_path, script) == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_call_in_its_right_place_is_not(title: str, tmp_path: Path) -> None:
    assert project(tmp_path, SILENT[title]) == []


def test_a_module_that_is_named_like_its_package_may_import_from_it(tmp_path: Path) -> None:
    script = "import torch\nfrom pack.tools import tools\n\nfor x in torch.ones(3):\n    tools(x)\n"
    write(tmp_path, pack____init__="", pack__pack=script, pack__tools="def tools(x):\n    return x\n")
    assert findings(tmp_path, "pack/pack.py") == []


LEARNED = """
import torch
from torch import nn


class Learned(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.info = {"model": model}
        self.rates = nn.ParameterList(torch.ones_like(weight) for weight in model.parameters())

    def step(self):
        for weight, rate in zip(self.info["model"].parameters(), self.rates):
            weight.data.sub_(rate * weight.grad)
"""


@pytest.mark.parametrize("stepped", [True, False])
def test_what_an_object_of_another_file_steps_is_trained(stepped: bool, tmp_path: Path) -> None:
    script = """import torch
from torch import nn
from learned import Learned


def train(loader):
    model = nn.Linear(4, 2)
    learned = Learned(model)
    optimizer = torch.optim.Adam(learned.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        learned.step()


train(torch.utils.data.DataLoader(torch.randn(8, 4)))
"""
    line = "        learned.step()\n"
    write(tmp_path, learned=LEARNED, train=script if stepped else script.replace(line, ""))
    found = [code for code, _ in findings(tmp_path, "train.py") if code == "MEM203"]
    assert found == ([] if stepped else ["MEM203"])


NETWORK = """
import torch
from torch import nn


class Diffusion(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps, self.net = steps, nn.Linear(8, 8)

    def measure(self, x, step):
        return (self.net(x * step) - x).square().mean()

    def measure_valid(self, x):
        total = 0
        for step in range(self.steps):
            loss = self.measure(x, step)
            total += loss.detach()
        return total / self.steps
"""


@pytest.mark.parametrize("used", [False, True], ids=["alone", "used by another file"])
def test_what_other_files_run_of_a_network_has_their_grad_mode(used: bool, tmp_path: Path) -> None:
    write(tmp_path, network=NETWORK)
    if used:
        write(tmp_path, imputer="import torch\nfrom network import Diffusion\n\nnet = Diffusion(50)\n")
    assert findings(tmp_path, "network.py") == ([] if used else [("MEM201", 17)])


LAYERS = """
import torch
from torch import nn
from fused import swish


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.LSTM(4, 8)

    def forward(self, x):
        return self.net(x)[0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.table, self.calls = {made}, None, 0

    def forward(self, x):
        self.calls += 1
        {lines}
        return self.net(x)
"""
EVALUATION = """
import torch
import torch.nn.functional as F
from layers import Net
from data import loader
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
net.eval()
error = 0
for x, y in loader:
    error += F.mse_loss(net(x), y).item()
print(error)
"""
NETWORKS = {
    "plain": ("nn.Linear(4, 8)", "x = x.relu()", True),
    "a layer that rounds in another way": ("nn.LSTM(4, 8)", "x = x.relu()", False),
    "one in a class of its file": ("Recurrent()", "x = x.relu()", False),
    "a function out of view": ("nn.Linear(4, 8)", "x = swish(x)", False),
    "grad mode decides": ("nn.Linear(4, 8)", "x = x.relu() if torch.is_grad_enabled() else x", False),
    "it keeps what it makes": (
        "nn.Linear(4, 8)",
        "self.table = self.net.weight.T @ self.net.weight if self.table is None else self.table\n"
        "        x = x @ self.table",
        False,
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_an_evaluation_of_a_network_of_another_file_is_changed_as_safe_where_it_computes_the_same(
    name: str, tmp_path: Path
) -> None:
    made, lines, safe = NETWORKS[name]
    write(tmp_path, layers=LAYERS.format(made=made, lines=lines), evaluation=EVALUATION)
    codes = frozenset({"MEM201"})
    path = tmp_path / "evaluation.py"
    report = engine.check(EVALUATION, str(path), engine.Checks(codes, codes, path.name, root=str(tmp_path)))
    (plan,) = (finding.fix for finding in report.findings)
    assert plan is not None
    assert (plan.applicability is Applicability.SAFE) is safe


LOOKERS = """
import torch


class Report:
    def __init__(self, net):
        self.net = net

    def norms(self):
        print([p.grad.norm().item() for p in self.net.parameters() if p.grad is not None])

    def sizes(self):
        print([p.numel() for p in self.net.parameters()])

    def both(self):
        self.norms()
        self.sizes()


class Meter:
    def __init__(self):
        self.sum = 0

    def add(self, value):
        self.sum = self.sum + value


def show(value):
    print(value)
"""
LOOKED_AT = """
import torch
import torch.nn.functional as F
from lookers import Meter, Report, show
from data import loader
net = torch.nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
report, meter = Report(net), Meter()
for x, y in loader:
    loss = F.mse_loss(net(x), y)
    {between}
    opt.zero_grad()
    loss.backward()
    opt.step()
    meter.add(loss)
{after}
"""
LOOKS = {
    "gradients": ("MEM122", "report.norms()", "", False),
    "gradients and more": ("MEM122", "report.both()", "", False),
    "sizes": ("MEM122", "report.sizes()", "", True),
    "a sum": ("MEM105", "pass", "show(meter.sum)", False),
    "a number": ("MEM105", "pass", "show(float(meter.sum))", True),
}


@pytest.mark.parametrize("name", LOOKS)
def test_what_a_function_of_another_file_looks_at_is_not_changed_as_safe(name: str, tmp_path: Path) -> None:
    code, between, after, expected = LOOKS[name]
    script = LOOKED_AT.format(between=between, after=after)
    write(tmp_path, lookers=LOOKERS, train=script)
    path, codes = tmp_path / "train.py", frozenset({code})
    report = engine.check(script, str(path), engine.Checks(codes, codes, path.name, root=str(tmp_path)))
    plans = [finding.fix for finding in report.findings]
    assert any(plan is not None and plan.applicability is Applicability.SAFE for plan in plans) is expected


FREEZES_ITSELF = """
from torch import nn
from torchvision import models


class Inception(nn.Module):
    def __init__(self, blocks, requires_grad=False):
        super().__init__()
        net = models.inception_v3()
        self.blocks = nn.ModuleList([nn.Sequential(net.Conv2d_1a_3x3), net.Conv2d_2b_3x3])
        for param in self.parameters():
            param.requires_grad = requires_grad

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
"""

SCORES = """
import torch
from inception import Inception


def activations(batches, net):
    net.eval()
    return [net(x).cpu().data.numpy() for x in batches]


def score(batches):
    net = Inception([3]{given}).cuda()
    return sum(a.mean() for a in activations(batches, net))
"""


@pytest.mark.parametrize(
    ("given", "recorded"), [("", False), (", True", True), (", requires_grad=True", True)]
)
def test_a_network_of_another_file_may_freeze_itself_when_it_is_made(
    given: str, recorded: bool, tmp_path: Path
) -> None:
    write(tmp_path, inception=FREEZES_ITSELF, score=SCORES.format(given=given))
    assert ("MEM201" in {code for code, _ in findings(tmp_path, "score.py")}) == recorded


BLOCKS = """
import torch
{imported}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = torch.nn.Linear(4, 4)

    def forward(self, x):
        return {given}
"""
ASKING = """
import torch
from blocks import Net
from data import loader

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    x.requires_grad_()
    loss = torch.nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("imported", "given", "found"),
    [
        ("", "self.block(x)", True),
        (
            "from torch.utils.checkpoint import checkpoint",
            "checkpoint(self.block, x, use_reentrant=True)",
            False,
        ),
    ],
)
def test_the_input_of_blocks_that_another_file_checkpoints_needs_its_gradient(
    tmp_path: Path, imported: str, given: str, found: bool
) -> None:
    write(tmp_path, blocks=BLOCKS.format(imported=imported, given=given), train=ASKING)
    assert ("MEM128" in {code for code, _ in findings(tmp_path, "train.py")}) is found


PAIR = """
import torch
from torch import nn


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 64)

    def forward(self, x):
        return self.layer(x)


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = None, None
        self.generator = Body()
        self.teacher = Body()

    def take(self, first, second):
        self.first, self.second = first, second

    def one_step(self, x):
        made = self.generator(x)
        loss = (made - self.teacher(x)).square().mean()
        for optimizer in (self.first, self.second):
            optimizer.zero_grad()
        loss.backward()
        self.first.step()
        self.second.step()
"""


@pytest.mark.parametrize("other", ["generator", "teacher"])
def test_a_part_of_a_network_of_another_file_is_trained_by_the_optimizer_made_of_it(
    other: str, tmp_path: Path
) -> None:
    script = f"""import torch
from pair import Pair


class Run:
    def build(self):
        self.pair = Pair()
        first = torch.optim.Adam(self.pair.generator.parameters())
        self.pair.take(first, torch.optim.SGD(self.pair.{other}.parameters(), lr=0.1))

    def train(self, loader):
        self.build()
        for x, _ in loader:
            self.pair.one_step(x)
"""
    write(tmp_path, pair=PAIR, run=script)
    found = [code for code, _ in findings(tmp_path, "run.py") if code == "MEM203"]
    assert found == ([] if other == "teacher" else ["MEM203"])


@pytest.mark.parametrize("of_torch", [False, True], ids=["of its own", "handed on"])
def test_tensors_of_a_project_are_those_of_torch_if_it_hands_them_on(of_torch: bool, tmp_path: Path) -> None:
    script = """from tensors import Tensor

model = build()
model.eval()
for x in loader:
    scores = model(Tensor(x))
    print(scores.argmax().item())
"""
    own = "import numpy\n\n\nclass Tensor:\n    def __init__(self, data):\n        self.a = data\n"
    write(tmp_path, tensors="from torch import Tensor\n" if of_torch else own, run=script)
    found = [code for code, _ in findings(tmp_path, "run.py")]
    assert found == (["MEM201"] if of_torch else [])
