"""Large tensors of made-up data take little host memory, and what is drawn later is the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.simulated import needs_simulation, simulated

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]

ROWS, WIDTH = 6000, 4000
"""96 MB in float32."""

MIB = 1 << 20

MADE = [
    ("randn.default", ([ROWS, WIDTH],), {}),
    ("randn.default", ([ROWS + 1, WIDTH + 3],), {}),
    ("randn.default", ([ROWS, WIDTH],), {"dtype": "float64"}),
    ("randn.default", ([ROWS, WIDTH * 2],), {"dtype": "bfloat16"}),
    ("rand.default", ([ROWS, WIDTH],), {}),
    ("randint.default", (9, [ROWS, WIDTH]), {}),
    ("randint.low", (-3, 1 << 40, [ROWS, WIDTH]), {}),
    ("randint.default", (200, [ROWS * 4, WIDTH]), {"dtype": "uint8"}),
    ("zeros.default", ([ROWS * WIDTH],), {}),
    ("ones.default", ([ROWS * WIDTH],), {}),
    ("full.default", ([ROWS, WIDTH], 2.5), {"dtype": "float32"}),
]
FILLED = [("normal_.default", (1.0, 2.0)), ("uniform_.default", (-1.0, 3.0)), ("random_.default", ()),
          ("zero_.default", ()), ("fill_.Scalar", (7.0,))]  # fmt: skip


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def both(real: Any, thin: Any) -> tuple[Any, Any, int]:
    """The first elements and the state of the generator after each, and what the second took."""
    import torch

    torch.manual_seed(3)
    expected = real()
    head, total, after = expected.view(-1)[:2000].clone(), expected.numel(), torch.get_rng_state()
    del expected
    torch.manual_seed(3)
    before = resident()
    found = thin()
    taken = resident() - before
    assert found is not None
    assert found.numel() == total
    assert torch.equal(torch.get_rng_state(), after)
    return head, found, taken


@pytest.mark.parametrize(("name", "args", "kwargs"), MADE)
def test_what_is_made_is_what_torch_makes_in_few_pages(name: str, args: Any, kwargs: Any) -> None:
    import torch

    from memlint.runtime.simulate.memory import thin

    packet, _, overload = name.partition(".")
    func = getattr(getattr(torch.ops.aten, packet), overload)
    words = {key: getattr(torch, value) for key, value in kwargs.items()}
    head, found, taken = both(lambda: func(*args, **words), lambda: thin.made(func, args, words))
    assert found.dtype == head.dtype
    assert torch.equal(found.view(-1)[:2000], head)
    assert taken < 24 * MIB < 64 * MIB < found.numel() * found.itemsize
    last = found.view(-1)[-4000:]
    assert len(head.unique()) == 1 or len(last.unique()) > 1
    found.view(-1)[-1] = 1
    found.view(-1)[50_000] = 1
    assert (found.view(-1)[50_000], found.view(-1)[-1]) == (1, 1)
    found.resize_(ROWS * 2, WIDTH * 2)


@pytest.mark.parametrize(("name", "args"), FILLED)
def test_what_fills_a_whole_tensor_replaces_what_was_there(name: str, args: Any) -> None:
    import torch

    from memlint.runtime.simulate.memory import thin

    packet, _, overload = name.partition(".")
    func = getattr(getattr(torch.ops.aten, packet), overload)
    target = torch.empty(ROWS, WIDTH)
    other = target.view(-1)[5_000_000:]
    other[:3] = 99
    head, found, taken = both(
        lambda: func(torch.empty(ROWS, WIDTH), *args), lambda: thin.made(func, (target, *args), {})
    )
    assert found is target
    assert torch.equal(found.view(-1)[:2000], head)
    assert taken < 24 * MIB
    assert not (other[:3] == 99).any()


def test_what_is_small_in_part_or_in_one_dimension_is_left_to_torch() -> None:
    import torch

    from memlint.runtime.simulate.memory import thin

    aten = torch.ops.aten
    assert thin.made(aten.randn.default, ([100, 100],), {}) is None
    assert thin.made(aten.rand.default, ([ROWS * WIDTH],), {}) is None  # a mask may come of it
    assert thin.made(aten.normal_.default, (torch.empty(ROWS, WIDTH)[1:],), {}) is None
    assert thin.made(aten.normal_.default, (torch.empty(WIDTH, ROWS).t(),), {}) is None
    assert thin.made(aten.add.Tensor, (torch.empty(ROWS, WIDTH), 1), {}) is None


DATA = """
import torch
torch.manual_seed(5)
images = torch.empty(20_000, 3, 64, 64).normal_()
labels = torch.randint(0, 10, (20_000,))
net = torch.nn.Linear(3 * 64 * 64, 10).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    rows = torch.randint(0, len(images), (64,))
    loss = torch.nn.functional.cross_entropy(net(images[rows].flatten(1).cuda()), labels[rows].cuda())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
pages = int(open("/proc/self/statm").read().split()[1]) * 4096
raise RuntimeError(f"{pages} {torch.rand(1).item()}")
"""


def test_a_simulation_holds_little_of_a_large_data_set(tmp_path: Path) -> None:
    arm = simulated(tmp_path, DATA)
    assert arm.failure is not None
    pages, number = arm.failure.message.split()
    assert int(pages) < 700 * MIB < 20_000 * 3 * 64 * 64 * 4
    plain = DATA.replace(".cuda()", "").replace("raise RuntimeError", "print")
    done = subprocess.run([sys.executable, "-c", plain], capture_output=True, text=True, check=True)
    assert done.stdout.split()[1] == number


TO_HOST = """
import resource
import torch
kept = torch.ones(300 << 20, dtype=torch.uint8, device="cuda") > torch.rand(300 << 20, device="cuda")
scores = torch.rand(75 << 20, device="cuda")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
into = torch.empty(kept.shape, dtype=kept.dtype).copy_(kept)
masks, numbers = kept.cpu(), scores.cpu()
assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024 < 100
assert not into[::4096].any() and not masks[::4096].any() and (numbers[::4096] == 1).all()
"""


def test_copies_of_large_tensors_of_the_gpu_take_little_host_memory(tmp_path: Path) -> None:
    arm = simulated(tmp_path, TO_HOST)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
