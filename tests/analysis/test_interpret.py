"""The abstract run: what value an expression has, and which events a few lines leave.

`see(x)` in a script stands for a call into a library: the call trace keeps the values that it was given.
"""

from __future__ import annotations

import pytest

from memlint.analysis.dataflow.execution_order import calls_of
from memlint.analysis.facts import Store
from memlint.analysis.model import ScriptModel
from memlint.analysis.traits import Trait
from memlint.analysis.values import (
    Const,
    Function,
    Items,
    Kind,
    Ref,
    Scalar,
    Tensor,
    Unknown,
    Value,
    ids_of,
    options_of,
)

SETUP = """
import torch
from torch import nn
from library import see
model = nn.Linear(2, 2)
opt = torch.optim.SGD(model.parameters(), 0.1)
"""


def ran(code: str) -> ScriptModel:
    return ScriptModel.parse(SETUP + code + "\n")


def seen(code: str) -> Value:
    """What `see` was given first."""
    return next(calls_of(ran(code), "library.see")).args[0]


def tensor(code: str) -> Tensor:
    value = seen(code)
    assert isinstance(value, Tensor), value
    return value


# --- values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("see(torch.zeros(3))", Kind.DETACHED),
        ("see(model(x))", Kind.GRAPH),
        ("see(model(x) * 2 + 1)", Kind.GRAPH),
        ("see(model(x).detach())", Kind.DETACHED),
        ("see(model(x).detach().clone())", Kind.DETACHED),
        ("see(model(x).data)", Kind.DETACHED),
        ("see(model(x).argmax())", Kind.INDEX),
        ("see(torch.stack([model(x), model(y)]))", Kind.GRAPH),
        ("with torch.no_grad():\n    y = model(x)\nsee(y)", Kind.DETACHED),
        ("with torch.no_grad():\n    pass\nsee(model(x))", Kind.GRAPH),
        ("with torch.no_grad():\n    with torch.enable_grad():\n        y = model(x)\nsee(y)", Kind.GRAPH),
        ("@torch.no_grad()\ndef f(x):\n    return model(x)\nsee(f(x))", Kind.DETACHED),
        ("torch.set_grad_enabled(False)\nsee(model(x))", Kind.DETACHED),
        ("y = model(x)\nif c:\n    y = y.detach()\nsee(y)", Kind.GRAPH),
        ("def f(a):\n    return a.detach()\nsee(f(model(x)))", Kind.DETACHED),
        ("def f(a, cut=False):\n return a.detach() if cut else a\nsee(f(model(x), cut=True))", Kind.DETACHED),
        ("def f(a, cut=False):\n    return a.detach() if cut else a\nsee(f(model(x)))", Kind.GRAPH),
    ],
)
def test_whether_a_tensor_carries_a_graph(code: str, kind: Kind) -> None:
    assert tensor(code).kind is kind


@pytest.mark.parametrize(
    ("code", "traits"),
    [
        ("see(model(x).cuda())", Trait.GPU),
        ("see(model(x).to('cuda:0'))", Trait.GPU),
        ("see(torch.zeros(3, device='cuda'))", Trait.GPU),
        ("see(torch.zeros(3, device='cuda').cpu())", Trait.CPU),
        ("device = 'cuda'\nsee(model(x).to(device))", Trait.GPU),
        ("see(model(x).sum())", Trait.SCALAR),
        ("see(model(x).sum().cuda())", Trait.GPU | Trait.SCALAR),
        ("for batch in torch.utils.data.DataLoader(d):\n    see(batch)", Trait.BATCH),
        ("for x, y in torch.utils.data.DataLoader(d):\n    see(x)", Trait.MEMBER),
    ],
)
def test_where_a_tensor_is_and_how_large(code: str, traits: Trait) -> None:
    assert tensor(code).traits == traits


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("see(3)", Const(3)),
        ("a, b = 1, 2\nsee(b)", Const(2)),
        ("see((1, 'a'))", Items((Const(1), Const("a")))),
        ("d = {'a': 1, 'b': 'x'}\nsee(d['b'])", Const("x")),
        ("class A:\n    def __init__(self):\n        self.x = 3\nsee(A().x)", Const(3)),
        ("class A:\n    n = 4\nsee(A.n)", Const(4)),
        ("def f(a, b=2):\n    return b\nsee(f(1))", Const(2)),
        ("def f(*a, **k):\n    return k['n']\nsee(f(n=5))", Const(5)),
        ("def outer():\n n = 6\n def inner():\n  return n\n return inner()\nsee(outer())", Const(6)),
        ("see(model(x).item())", Scalar()),
        ("see(float(model(x)))", Scalar()),
        ("a = 0.5\na *= options.factor\nsee(a)", Scalar()),
        ("a = float(options.start)\na /= options.factor\nsee(a)", Scalar()),
        ("if False:\n    a = 1\nelse:\n    a = 2\nsee(a)", Const(2)),
        ("def f():\n    return\nsee(f())", Const(None)),
    ],
)
def test_values_without_a_graph(code: str, expected: Value) -> None:
    assert seen(code) == expected


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("see(model)", "module"),
        ("see(nn.MSELoss())", "loss"),
        ("see(opt)", "optimizer"),
        ("see(torch.amp.GradScaler())", "scaler"),
        ("see(torch.utils.data.DataLoader(d))", "loader"),
        ("see([])", "list"),
        ("see({})", "dict"),
        ("class Net(nn.Module):\n    pass\nsee(Net())", "module"),
        ("class A:\n    pass\nsee(A())", "instance"),
    ],
)
def test_kinds_of_objects(code: str, kind: str) -> None:
    value = seen(code)
    assert isinstance(value, Ref)
    assert value.obj.kind == kind


def test_a_function_is_a_value_that_knows_its_code() -> None:
    value = seen("see(lambda: 1)")
    assert isinstance(value, Function)


def test_what_is_joined_of_results_out_of_view_may_have_their_graph() -> None:
    code = "rows = []\nfor row in library.parts(x):\n    rows.append(row)\nsee(torch.cat(rows))"
    model = ran(code)
    value = next(calls_of(model, "library.see")).args[0]
    assert isinstance(value, Unknown), value
    assert model.trace.ancestors(ids_of(value)) & model.trace.maybe_detached


def test_a_loop_joins_what_its_passes_leave() -> None:
    value = seen("total = 0\nfor x in data:\n    total += model(x)\nsee(total)")
    assert {type(option) for option in options_of(value)} == {Const, Tensor}


# --- containers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("box = []\nbox.append(model(x))\nsee(box[0])", Kind.GRAPH),
        ("box = [model(x)]\nsee(box.pop())", Kind.GRAPH),
        ("box = {}\nbox['a'] = model(x).detach()\nsee(box['a'])", Kind.DETACHED),
        ("box = []\nbox.extend([model(x)])\nfor y in box:\n    see(y)", Kind.GRAPH),
        ("see([model(x) for x in data][0])", Kind.GRAPH),
        (
            "class A:\n def __init__(self):\n  self.box = []\n def add(self, v):\n  self.box.append(v)\n"
            "a = A()\na.add(model(x))\nsee(a.box[0])",
            Kind.GRAPH,
        ),
    ],
)
def test_what_a_container_holds(code: str, kind: Kind) -> None:
    assert tensor(code).kind is kind


def store(code: str) -> Store:
    (found,) = ran(code).trace.stores.values()
    return found


DEQUE = "from collections import deque\nbox = deque(maxlen=5)\n"
LOOP = "for x in data:\n    loss = model(x).mean()\n"


@pytest.mark.parametrize(
    ("code", "how", "bounded"),
    [
        ("box = []\n" + LOOP + "    box.append(loss)", "store", None),
        ("box = {}\n" + LOOP + "    box[x] = loss", "store", None),
        ("total = 0\n" + LOOP + "    total += loss", "sum", None),
        (DEQUE + LOOP + "    box.append(loss)", "store", 5),
    ],
)
def test_stores_that_outlive_an_iteration(code: str, how: str, bounded: int | None) -> None:
    found = store(code)
    assert (found.how, found.bounded) == (how, bounded)


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("    loss.backward()\n    box.append(loss)", "reached"),
        ("    loss.backward(retain_graph=True)\n    box.append(loss)", "retained"),
        ("    box.append(loss)", "unreached"),
    ],
)
def test_what_backward_did_to_a_stored_graph(body: str, state: str) -> None:
    found = store("box = []\n" + LOOP + body)
    assert list(found.grows.values()) == [state]


def test_a_container_that_is_emptied_in_the_loop_does_not_grow() -> None:
    code = LOOP + "    box = []\n    box.append(loss)"
    assert not any(s.grows for s in ran(code).trace.stores.values())


# --- events ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "grad", "recorded"),
    [
        ("model(x)", "on", True),
        ("with torch.no_grad():\n    model(x)", "off", False),
        ("with torch.set_grad_enabled(training):\n    model(x)", "maybe", True),
    ],
)
def test_forward(code: str, grad: str, recorded: bool) -> None:
    (forward,) = ran(code).trace.forwards.values()
    assert (forward.grad, forward.recorded) == (grad, recorded)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("model(x).backward()", (True, False, False, False)),
        ("model(x).backward(retain_graph=True)", (True, True, False, False)),
        ("model(x).backward(create_graph=True)", (True, False, True, False)),
        ("torch.autograd.grad(model(x), w)", (False, False, False, False)),
        ("s = torch.amp.GradScaler()\ns.scale(model(x)).backward()", (True, False, False, True)),
    ],
)
def test_backward(code: str, expected: tuple[bool, bool, bool, bool]) -> None:
    (found,) = ran(code).trace.backwards.values()
    assert (found.fills, found.retain, found.create, found.scaled) == expected


def test_a_helper_s_backward_belongs_to_the_loop_of_its_caller() -> None:
    code = "def train(x):\n model(x).backward()\nfor epoch in range(2):\n for x in data:\n  train(x)\n"
    (found,) = ran(code).trace.backwards.values()
    assert [loop.source for loop in found.loops] == ["range(2)", "data"]
    assert [frame.name for frame in found.frame.chain()] == ["train", "<module>"]


@pytest.mark.parametrize(
    ("code", "scaled"),
    [
        ("opt.step()", False),
        ("s = torch.amp.GradScaler()\ns.step(opt)", True),
        ("def update(o):\n    o.step()\nupdate(opt)", False),
        ("class T:\n def __init__(self, o):\n  self.o=o\n def f(self):\n  self.o.step()\nT(opt).f()", False),
    ],
)
def test_optimizer_steps(code: str, scaled: bool) -> None:
    (step,) = ran(code).trace.steps.values()
    assert (step.optimizer.path, step.through_scaler) == ("torch.optim.SGD", scaled)


def test_a_scheduler_s_step_is_none_of_the_optimizer() -> None:
    code = "sched = torch.optim.lr_scheduler.StepLR(opt, 1)\nsched.step()"
    assert not ran(code).trace.steps


@pytest.mark.parametrize(
    ("code", "target"),
    [("opt.zero_grad()", "optimizer"), ("model.zero_grad()", "module")],
)
def test_zero_grad(code: str, target: str) -> None:
    (zero,) = ran(code).trace.zeros.values()
    assert zero.target is not None
    assert zero.target.kind == target


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "clip"),
        ("nn.utils.clip_grad_value_(model.parameters(), 1.0)", "clip"),
    ],
)
def test_uses_of_gradients(code: str, how: str) -> None:
    (use,) = ran(code).trace.grad_uses.values()
    assert use.how == how


@pytest.mark.parametrize(
    ("code", "dtype", "enabled"),
    [
        ("with torch.autocast('cuda', dtype=torch.bfloat16):\n    model(x)", "bfloat16", True),
        ("with torch.autocast('cuda', dtype=torch.float16, enabled=False):\n    model(x)", "float16", False),
        ("with torch.autocast('cuda', dtype=torch.float16, enabled=flag):\n    model(x)", "float16", None),
    ],
)
def test_autocast_around_a_forward(code: str, dtype: str, enabled: bool | None) -> None:
    (forward,) = ran(code).trace.forwards.values()
    (region,) = forward.regions
    assert (region.cast.dtype, region.cast.enabled) == (dtype, enabled)


# --- loops ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "sources"),
    [
        ("for x in data:\n    for y in x:\n        pass", ["data", "x"]),
        ("while c:\n    pass", ["c"]),
        ("[x for x in data]", ["data"]),
        ("def f():\n    for x in data:\n        pass\nf()", ["data"]),
    ],
)
def test_loops(code: str, sources: list[str]) -> None:
    assert [loop.source for loop in ran(code).trace.loops.values()] == sources


def test_a_recurrent_state_comes_back_as_an_argument() -> None:
    code = "rnn = nn.LSTM(2, 2)\nh = None\nfor x in data:\n    out, h = rnn(x, h)\n    out.mean().backward()"
    (forward,) = ran(code).trace.forwards.values()
    assert [loop.source for loop in forward.loop_carried] == ["data"]


@pytest.mark.parametrize(
    "line",
    [
        "h = h if keeps else h.detach()",
        "h = h.detach() if model.cell is None else h",
        "h = h if model.cell is None else (h[0].detach(), h[1].detach())",
    ],
)
def test_a_state_that_one_arm_detaches_is_cut(line: str) -> None:
    code = f"h = None\nfor x in data:\n    out, h = model(x, h)\n    {line}\n    out.mean().backward()"
    trace = ran(code).trace
    assert any(loop.source == "data" for loops in trace.detached_in_loops.values() for loop in loops)


def test_a_detached_state_does_not() -> None:
    code = "rnn = nn.GRU(2, 2)\nh = None\nfor x in data:\n    out, h = rnn(x, h)\n    h = h.detach()"
    (forward,) = ran(code).trace.forwards.values()
    assert not forward.loop_carried


@pytest.mark.parametrize(
    ("given", "forwards"),
    [
        ("x", 1),
        ("[model(x), x]", 2),
        ('"a text"', 0),
        ('["a text", question]', 0),
        ("[question]", 0),
        ("question, convert_to_numpy=True", 0),
    ],
)
def test_what_encode_is_given_tells_whether_it_runs_a_network(given: str, forwards: int) -> None:
    made = "from lib import load, ask\nencoder = load()\nencoder.eval()\nquestion = ' '.join(ask())\n"
    assert len(ran(f"{made}found = encoder.encode({given})").trace.forwards) == forwards


@pytest.mark.parametrize(
    "chain",
    [
        "for part in (a, b, c):\n    stream = part.process(stream)\n",
        "for part in parts:\n    stream = part.process(stream)\n",
        "stream = a.process(b.process(a.process(stream)))\n",
        "for _ in range(9):\n    stream = zip(a.process(stream), stream)\n",
    ],
)
def test_a_generator_over_what_it_yielded_itself_ends(chain: str) -> None:
    code = """
from torch.utils.data import DataLoader
class Part:
    def process(self, stream):
        for item in stream:
            yield item
class Last(Part):
    def process(self, stream):
        for item in super().process(stream):
            yield item
a, b, c = Part(), Last(), Part()
parts = [a, b] if flag else [c]
stream = DataLoader(data)
""" + chain + "for batch in stream:\n    see(model(batch))\n"
    model = ran(code)
    assert any(loop for obj in model.trace.iterated.values() for loop in obj)
    assert isinstance(next(calls_of(model, "library.see")).args[0], Tensor)


@pytest.mark.parametrize(
    ("test", "network"),
    [
        ("kind in ['vgg', 'vgg16']", True),
        ("kind not in {'alex', 'squeeze'}", True),
        ("kind[:-1] == 'vg'", True),
        ("kind[:3] != 'vgg'", False),
        ("kind.upper() == 'VGG'", True),
        ("kind.startswith('res')", False),
        ("kind.endswith('g')", True),
        ("kind in KNOWN", None),  # a list that others may fill
        ("kind[start:] == 'vgg'", None),
        ("kind.count('v') == 1", None),
    ],
)
def test_conditions_on_known_text(test: str, network: bool | None) -> None:
    code = f"KNOWN = ['alex']\nKNOWN.append(name)\nkind = 'vgg'\nsee(model(1) if {test} else 1)"
    kinds = {isinstance(option, Tensor) for option in options_of(seen(code))}
    assert kinds == ({True, False} if network is None else {network})


@pytest.mark.parametrize("count", [3, 7, 8, 12])
def test_one_of_many_functions_is_no_network_by_its_name(count: int) -> None:
    table = ", ".join(f"('{n}', lambda x: x.get('{n}'))" for n in range(count))
    model = ran(f"for name, extractor in [{table}]:\n    for x in loader:\n        see(extractor(x))")
    assert not list(model.trace.passes())
