"""Which module holds what: models of a library, trees, lazy modules, and where memory runs out."""

from __future__ import annotations

import textwrap
from collections import Counter
from pathlib import Path

import pytest

from memlint.report.session.text import inside
from memlint.session import Arm
from tests.runtime.simulated import MIB, needs_simulation, simulated
from tests.runtime.support import line_of, measure, needs_torch, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

LIBRARY = """
import torch, torch.nn as nn
from torch.utils.checkpoint import checkpoint

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)
    def forward(self, x):
        return x + self.narrow(torch.relu(self.wide(x)))

class Model(nn.Module):
    def __init__(self, width=256, depth=2, again=False):
        super().__init__()
        self.again = again
        self.layers = nn.ModuleList(Block(width) for _ in range(depth))
        self.register_buffer("mask", torch.ones(width))
    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.again else layer(x)
        return x * self.mask

def make(**options):
    return Model(**options)

def train(model, optimizer, steps, batch=64):
    for _ in range(steps):
        loss = model(torch.randn(batch, 256)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
"""

WEIGHT = 4 * 256 * 1024


def run(folder: Path, text: str, **changes: object) -> Arm:
    package = folder / "site-packages" / "modelzoo"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from modelzoo.nets import *\n", encoding="utf-8")
    (package / "nets.py").write_text(LIBRARY, encoding="utf-8")
    head = f"import sys\nsys.path.insert(0, {str(package.parent)!r})\nimport torch, modelzoo\n"
    arm = measure(script(folder / "home", head + textwrap.dedent(text)), folder / "w", **changes)
    assert arm.failure is None, arm.failure
    assert arm.lost == ()
    adds_up(arm)
    return arm


def adds_up(arm: Arm) -> None:
    """The columns of the tree are all bytes of their kinds; lines and kinds are the peak."""
    sums: Counter[str] = Counter()
    for row in arm.tree:
        sums["parameter"] += row.parameters
        sums["gradient"] += row.gradients
        sums["optimizer state"] += row.optimizer_state
        sums["activation"] += row.activations
    assert {kind: sums[kind] for kind in sums} == {kind: arm.kinds.get(kind, 0) for kind in sums}
    assert sum(row.bytes for row in arm.lines) == sum(arm.kinds.values()) == arm.peak.bytes


def place(code: str) -> str:
    return f"modelzoo/nets.py:{line_of(LIBRARY, code)}"


def test_a_line_that_calls_a_library_goes_on_into_its_modules(tmp_path: Path) -> None:
    arm = run(
        tmp_path,
        """
        model = modelzoo.make()
        opt = torch.optim.SGD(model.parameters(), 0.1)
        for _ in range(3):
            model(torch.randn(4096, 256)).square().mean().backward()
            opt.step()
            opt.zero_grad()
        """,
    )
    rows = {(row.kind, row.module): row for row in arm.lines if row.library}
    weights = rows["parameter", "layers.1.wide"]
    assert (weights.bytes, weights.library) == (WEIGHT + 4096, place("self.wide = nn"))
    # What the second matrix product needs, and of the sum with the residual the next layer's first one.
    hidden = rows["activation", "layers.0"]
    assert hidden.bytes == 4 * 4096 * (1024 + 256)
    assert inside(hidden) == f" > layers.0 ({place('return x + self.narrow')})"
    assert arm.tree[0].kind == "Model"
    assert [(row.path, row.depth) for row in arm.tree if "1" in row.path] == [
        ("layers.1", 2), ("layers.1.wide", 3), ("layers.1.narrow", 3),
    ]  # fmt: skip
    assert next(row for row in arm.tree if row.kind == "Model").buffers == 4 * 256


def test_a_trainer_of_a_library_owns_no_line_but_its_modules_do(tmp_path: Path) -> None:
    arm = run(
        tmp_path,
        """
        model = modelzoo.make()
        modelzoo.train(model, torch.optim.Adam(model.parameters()), 4)
        """,
    )
    state = [row for row in arm.lines if row.kind == "optimizer state" and row.module == "layers.0.wide"]
    # Two moments of weight and bias, and two step counts.
    assert [row.bytes for row in state] == [2 * (WEIGHT + 4096) + 8]
    assert state[0].library == place("optimizer.step()")
    assert next(row for row in arm.tree if row.path == "layers.0.wide").optimizer_state == state[0].bytes


def test_what_backward_repeats_belongs_to_the_module_that_is_repeated(tmp_path: Path) -> None:
    arm = run(
        tmp_path,
        """
        model = modelzoo.make(again=True, depth=4)
        modelzoo.train(model, torch.optim.SGD(model.parameters(), 0.1), 3, batch=4096)
        """,
    )
    rows = [row for row in arm.lines if row.phase == "backward"]
    made = {(row.module, row.library): row.bytes for row in rows if not row.forward_line}
    # What the last layer saves when its forward runs for the second time.
    assert made == {("layers.3", place("return x + self.narrow")): 4 * 4096 * 1024}
    assert {row.module for row in rows} <= {"", "Model", "layers.3", "layers.3.wide", "layers.3.narrow"}


def test_a_model_of_ones_own_keeps_one_row_a_line(tmp_path: Path) -> None:
    text = LIBRARY + "model = make(depth=3)\ntrain(model, torch.optim.SGD(model.parameters(), 0.1), 3)\n"
    arm = measure(script(tmp_path / "home", text), tmp_path / "w")
    adds_up(arm)
    assert not any(row.module or row.library for row in arm.lines)
    assert len([row for row in arm.lines if row.kind == "gradient"]) == 1
    assert {row.path for row in arm.tree if row.parameters} == {
        f"layers.{n}.{name}" for n in range(3) for name in ("wide", "narrow")
    }


def test_two_models_are_told_apart_by_what_the_script_calls_them(tmp_path: Path) -> None:
    arm = run(
        tmp_path,
        """
        netG, netD = modelzoo.make(depth=1), modelzoo.make(depth=1)
        first, second = (torch.optim.SGD(net.parameters(), 0.1) for net in (netG, netD))
        for _ in range(3):
            netD(netG(torch.randn(8, 256))).square().mean().backward()
            first.step()
            second.step()
        """,
    )
    paths = [row.path for row in arm.tree if row.parameters]
    assert paths == [f"{net}.layers.0.{name}" for net in ("netG", "netD") for name in ("wide", "narrow")]


SHAPES = {
    "shared module": "a = nn.Linear(64, 64); net = nn.Sequential(a, nn.ReLU(), a)",
    "tied weights": """
a, b = nn.Linear(64, 64), nn.Linear(64, 64)
a.weight = b.weight
net = nn.Sequential(a, b)
""",
    "parametrized": "net = nn.utils.parametrizations.weight_norm(nn.Linear(64, 64))",
    "spectral": "net = nn.utils.parametrizations.spectral_norm(nn.Linear(64, 64))",
    "old weight_norm": "net = nn.utils.weight_norm(nn.Linear(64, 64))",
    "scripted child": "net = nn.Sequential(torch.jit.script(nn.Linear(64, 64)), nn.Linear(64, 64))",
    "kept in a list": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.hidden = nn.Linear(64, 64), [nn.Linear(64, 64)]
    def forward(self, x):
        return self.hidden[0](self.first(x))
net = Net()
""",
    "lists of parameters": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.many = nn.ParameterList([nn.Parameter(torch.eye(64)) for _ in range(3)])
        self.named = nn.ParameterDict({"a": nn.Parameter(torch.zeros(64))})
    def forward(self, x):
        for weight in self.many:
            x = x @ weight
        return x + self.named["a"]
net = Net()
""",
    "added later": """
net = nn.Sequential(nn.Linear(64, 64))
net(torch.randn(1, 64))
net.append(nn.Linear(64, 64))
""",
    "made in forward": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(64, 64)
    def forward(self, x):
        return nn.Softmax(-1)(self.a(x))
net = Net()
""",
    "attributes by a trick": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(64, 64)
    def __getattr__(self, name):
        found = super().__getattr__(name)
        if name.startswith("_p"):
            raise RuntimeError("not yours")
        return found
    def forward(self, x):
        return self.a(x=x) if False else self.a(input=x)
net = Net()
""",
    "no training attribute": "net = nn.Sequential(nn.Linear(64, 64)); del net.__dict__['training']",
    "own call": """
class Net(nn.Linear):
    def __call__(self, x):
        return super().__call__(x) * 2
net = Net(64, 64)
""",
    "functional call": """
inner = nn.Linear(64, 64)
weights = dict(inner.named_parameters())
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        return torch.func.functional_call(self.inner, {k: v * 1 for k, v in weights.items()}, (x,))
net = Net()
""",
    "copied": """
import copy, pickle
net = nn.Sequential(nn.Linear(64, 64))
net(torch.randn(1, 64)).sum().backward()
pickle.loads(pickle.dumps(net))
net = copy.deepcopy(net)
""",
    "lazy": "net = nn.Sequential(nn.LazyLinear(64), nn.LazyBatchNorm1d(), nn.Sequential(nn.LazyLinear(64)))",
    "lazy, dry run": "net = nn.Sequential(nn.LazyLinear(64), nn.ReLU()); net(torch.randn(2, 64))",
    "lazy convolution": "net = nn.Sequential(nn.Unflatten(1, (4, 4, 4)), nn.LazyConv2d(2, 3), nn.Flatten())",
    "optimizer without a hash": """
class Same(torch.optim.SGD):
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p] = {"note": "text", "many": [None, p.detach().clone()]}
                p.data.add_(p.grad, alpha=-0.1)
    def __eq__(self, other):
        return True
torch.optim.SGD = Same
net = nn.Linear(64, 64)
""",
    "complex": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.randn(64, dtype=torch.cfloat))
    def forward(self, x):
        return (x * self.a).abs()
net = Net()
""",
    "sparse gradient": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(100, 64, sparse=True)
    def forward(self, x):
        return self.e((x > 0).sum(1)) + torch.eye(2).to_sparse().to_dense().sum()
net = Net()
""",
    "tensors of a class": """
class Named(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.Tensor.untyped_storage, torch.Tensor.layout.__get__):
            raise RuntimeError("mine")
        return super().__torch_function__(func, types, args, kwargs or {})
class Net(nn.Linear):
    def forward(self, x):
        return super().forward(x.as_subclass(Named)).as_subclass(torch.Tensor)
net = Net(64, 64)
""",
    "wrapped tensors": """
class Wrapped(torch.Tensor):
    @staticmethod
    def __new__(cls, a):
        return torch.Tensor._make_wrapper_subclass(cls, a.shape, dtype=a.dtype)
    def __init__(self, a):
        self.a = a
    def __tensor_flatten__(self):
        raise KeyError("no")
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        out = func(*[x.a if isinstance(x, Wrapped) else x for x in args], **(kwargs or {}))
        return Wrapped(out)
Wrapped(torch.ones(3)) + 1
net = nn.Linear(64, 64)
""",
    "odd tensors": """
torch.empty(5, device="meta") + 1
torch.quantize_per_tensor(torch.randn(4), 0.1, 0, torch.quint8)
torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]) * 2
torch.nested.nested_tensor([torch.ones(2, 1), torch.ones(3, 1)], layout=torch.jagged) * 2
net = nn.Linear(64, 64)
""",
}

TRAIN = """
import torch, torch.nn as nn
{make}
opt = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(3):
    loss = net(torch.randn(2, 64)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize("name", SHAPES)
def test_unusual_modules_and_tensors_are_followed(name: str, tmp_path: Path) -> None:
    arm = measure(script(tmp_path / "home", TRAIN.format(make=SHAPES[name])), tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert arm.lost == ()
    assert len(arm.steps) == 3
    adds_up(arm)
    owned = sum(row.parameters for row in arm.tree[:-1])
    assert owned > 0
    if name not in ("kept in a list", "copied"):
        assert arm.tree[-1].parameters == 0, arm.tree


def test_lazy_parameters_are_parameters_once_they_have_a_shape(tmp_path: Path) -> None:
    text = "import torch\n" + "\n".join(
        [
            "net = torch.nn.Sequential(torch.nn.LazyLinear(64), torch.nn.ReLU(), torch.nn.LazyLinear(1))",
            "with torch.no_grad():",
            "    for _ in range(3): net(torch.randn(8, 32))",
        ]
    )
    arm = measure(script(tmp_path / "home", text), tmp_path / "w")
    assert arm.failure is None
    # 32 x 64 and 64 x 1 weights with their biases, of four bytes each.
    assert arm.kinds["parameter"] == 4 * (32 * 64 + 64 + 64 + 1)
    assert [(row.path, row.parameters) for row in arm.tree[1:3]] == [("0", 8448), ("2", 260)]


def test_forwards_of_other_threads_leave_the_path_alone(tmp_path: Path) -> None:
    arm = run(
        tmp_path,
        """
        import threading
        model, other = modelzoo.make(), modelzoo.make()
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model
            def forward(self, x):
                beside = threading.Thread(target=other, args=(x.detach(),))
                beside.start()
                beside.join()
                return self.model(x)
        net = Net()
        for _ in range(3):
            net(torch.randn(4096, 256)).square().mean().backward()
        """,
    )
    held = {row.module for row in arm.lines if row.kind == "activation" and row.library}
    assert held == {"net.model.layers.0", "net.model.layers.1"}


# --- memory runs out ------------------------------------------------------------------------------------

OUT_OF_MEMORY = """
import torch
net = torch.nn.Sequential(*[torch.nn.Linear(4096, 4096, bias=False) for _ in range(8)]).cuda()
opt = torch.optim.Adam(net.parameters())
for i in range(3):
    x = torch.randn(1024, 4096, device="cuda")
    loss = net(x).square().mean()
    loss.backward()
    opt.step()
"""


@needs_simulation
def test_out_of_memory_in_backward_names_both_lines(tmp_path: Path) -> None:
    arm = simulated(tmp_path, OUT_OF_MEMORY, device_memory=1024 * MIB)
    then = arm.exhausted
    assert then is not None
    lines = OUT_OF_MEMORY.lstrip()
    assert (then.line, then.forward_line) == (line_of(lines, "backward()"), line_of(lines, "loss = net"))
    # Of eight layers of 64 MiB, weights and five gradients are there; the sixth is that of layer 2.
    assert (then.phase, then.step, then.module) == ("backward", 1, "2")


@needs_simulation
@pytest.mark.parametrize(
    ("capacity", "code", "phase"), [(560, "loss = net", "forward"), (1200, "opt.step()", "optimizer")]
)
def test_out_of_memory_elsewhere_names_the_phase(
    capacity: int, code: str, phase: str, tmp_path: Path
) -> None:
    arm = simulated(tmp_path, OUT_OF_MEMORY, device_memory=capacity * MIB)
    then = arm.exhausted
    assert then is not None
    assert (then.phase, then.line, then.forward_line) == (phase, line_of(OUT_OF_MEMORY.lstrip(), code), 0)


IN_A_LIBRARY = """
model = modelzoo.make(width=4096, depth=3).cuda()
opt = torch.optim.SGD(model.parameters(), 0.1)
x = torch.randn(16, 4096, device="cuda")
model(x).square().mean().backward()
opt.step()
model.eval()
with torch.no_grad():
    model(torch.randn(8192, 4096, device="cuda"))
"""


@needs_simulation
def test_out_of_memory_in_a_librarys_evaluation_names_the_module(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "modelzoo"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(LIBRARY, encoding="utf-8")
    head = f"import sys\nsys.path.insert(0, {str(package.parent)!r})\nimport torch, modelzoo"
    # Weights and gradients are 3 GiB; the input of the evaluation is 128 MiB, a hidden layer 512 MiB.
    arm = simulated(tmp_path, head + IN_A_LIBRARY, device_memory=(3 * 1024 + 500) * MIB)
    then = arm.exhausted
    assert then is not None
    assert (then.phase, then.module) == ("evaluation", "layers.0.wide")
    assert then.library == f"modelzoo/__init__.py:{line_of(LIBRARY, 'return x + self.narrow')}"
    assert then.line == line_of(head + IN_A_LIBRARY, "model(torch.randn(8192")
