"""Values under simulation: which are known, and what becomes of a script that acts on one that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlint.session import Arm, Invented
from tests.runtime.simulated import needs_simulation, run, simulated
from tests.runtime.support import line_of, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]


def invented(arm: Arm) -> tuple[Invented, ...]:
    assert arm.simulation is not None
    return arm.simulation.invented


KNOWN = """
import torch
host = torch.randint(0, 2, (4, 64, 64))
host[0, 0, :2] = torch.tensor([0, 1])
mask, images = host.cuda(), torch.rand(8, 3, 64, 64).cuda(non_blocking=True)
def same(found, expected):
    found = [bool(value) if value.dtype == torch.bool else value.item() for value in found]
    assert found == list(expected), found
same([mask.min(), mask.max(), *torch.aminmax(mask)], [0, 1, 0, 1])
same([mask.min() >= 0, mask.max() < 2], [True, True])
same([(mask >= 0).all(), (mask < 1).all(), (mask < 2).all(), (mask <= 0).any()], [True, False, True, True])
same([(mask < 0).any(), (mask == 255).any(), (mask == 1).any()], [False, False, True])
same([(mask != 5).all()], [True])
same([mask.long().view(-1).max(), mask.unsqueeze(1).float().max(), mask.transpose(1, 2).min()], [1, 1.0, 0])
same([(mask - 1).min(), (mask * 3).max(), (~(mask > 1)).all()], [-1, 3, True])
same([(images >= 0).all(), torch.isnan(images).any(), torch.isfinite(images).all()], [True, False, True])
same([torch.isnan(images).sum(), (images.flatten(1) * 2 - 1).min() >= -1], [0, True])
same([torch.zeros(4, device="cuda").sum(), torch.full((2,), 3.0, device="cuda").max()], [0, 3])
filled, large = torch.empty(4, device="cuda").fill_(2.5), torch.empty(100, 100, device="cuda").fill_(3)
same([filled.sum(), filled.clone().zero_().sum(), filled.mul(2).max()], [10, 0, 5])
same([large.max(), large.min()], [3, 3])
copied = torch.empty(2, device="cuda").copy_(torch.tensor([1.0, 2.0]))
same([copied.sum(), filled.copy_(filled * 2).sum()], [3, 20])
same([torch.cuda.FloatTensor(8, 1).fill_(1.0).mean(), large.copy_(torch.ones(100, 100)).min()], [1, 1])
same([torch.arange(5, device="cuda").sum(), torch.zeros_like(images[0, 0, 0]).sum()], [10, 0])
pointer, lengths = torch.zeros(1, dtype=torch.long).cuda(), torch.tensor([3, 5, 2]).cuda()
for _ in range(3):
    pointer[0] = (int(pointer) + 4) % 10
    pointer.add_(1)
same([pointer, lengths.add_(1).max(), lengths[1:].mul_(2).sum(), lengths.sum()], [5, 6, 18, 22])
sizes = torch.tensor([3, 9, 5]).cuda()
order = sizes.argsort(descending=True)
same([*sizes[order], *sizes.sort()[0], *sizes.topk(2)[1], *sizes.max(0)], [9, 5, 3, 3, 5, 9, 1, 2, 9, 1])
same([sizes[order].cpu()[0], *sizes.split([1, 2])[1]], [9, 9, 5])
chosen = torch.zeros(4, 8, dtype=torch.bool, device="cuda")
chosen[0, :3] = True
row = chosen[1]
row.fill_(True)
same([chosen.any(), chosen.sum(), chosen[1].all(), chosen[2].any()], [True, 11, True, False])
assert images[0, 0, :4, :8][chosen].shape == (11,)
assert torch.masked_select(images[0, 0, 0, :8], row).shape == (8,)
with torch.inference_mode():
    inside = torch.arange(5, device="cuda")
    inside[0] = 7
    same([inside.max(), (inside + 1).sum(), large.clone().fill_(4).max()], [7, 22, 4])
"""

INTO_HOST = """
import torch
taken = torch.full((3,), -1)
taken.copy_(torch.tensor([4, 5, 6]).cuda())
assert taken.tolist() == [4, 5, 6], taken
unknown = torch.randint(10, (8192,), device="cuda")
assert torch.full((8192,), 1 << 40).copy_(unknown).max() < 10
net = torch.nn.Linear(8, 1024).cuda()
images, labels = torch.randn(16, 8).cuda(), torch.randint(10, (16,)).cuda()
with torch.autograd.graph.save_on_cpu(pin_memory=True):
    loss = torch.nn.functional.cross_entropy(net(images), labels)
loss.backward()
torch.optim.SGD(net.parameters(), lr=0.1).step()
"""

LOST = """
import torch
counts, noise = torch.zeros(3, device="cuda"), torch.rand(3, device="cuda")
row = counts[1:]
counts.add_(noise)
print(row.sum().item(), counts.max().item())
row.fill_(2)
print(counts[1:].sum().item())
"""


def test_what_an_unknown_value_was_written_into_is_unknown_with_all_its_views(tmp_path: Path) -> None:
    rows = [(row.line, row.times) for row in invented(simulated(tmp_path, LOST))]
    assert rows == [(5, 2), (7, 1)]


def test_ends_of_what_was_copied_and_constants_are_known(tmp_path: Path) -> None:
    arm = simulated(tmp_path, KNOWN)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert invented(arm) == ()


def test_a_copy_into_a_tensor_of_the_host_has_known_values_or_such_as_may_be(tmp_path: Path) -> None:
    arm = simulated(tmp_path, INTO_HOST)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    lines = INTO_HOST.lstrip().splitlines()
    unknown = {n for n, line in enumerate(lines, 1) if "unknown)" in line or "cross_entropy" in line}
    assert {row.line for row in invented(arm)} == unknown


UNKNOWN = """
import torch
host = torch.randint(0, 2, (4, 64, 64))
changed, part, parts = host.cuda(), host.cuda()[:2], host.cuda()
changed[0] = 7
print(changed.max().item())
print(part.max().item())
print((parts == 1).sum().item())
nothing = torch.full((8192,), float("nan")).cuda()
print(nothing.min().item())
base = torch.empty(4, device="cuda")
view = base[:2]
base.fill_(3)
view.add_(1)
assert base.sum().item() == 14
view.zero_()
assert base.max().item() == 3
part = torch.zeros(4, device="cuda")
part[:1].copy_(base[2:3])
assert part.sum().item() == 3
norm = torch.nn.BatchNorm1d(4).cuda()
norm(torch.randn(8, 4, device="cuda"))
print(norm.running_mean.sum().item())
"""


def test_what_may_have_changed_is_not_known(tmp_path: Path) -> None:
    arm = simulated(tmp_path, UNKNOWN)
    assert arm.failure is None
    lines = UNKNOWN.lstrip().splitlines()
    assert {row.line for row in invented(arm)} == {n for n, line in enumerate(lines, 1) if "print(" in line}


ASSERTS = """
import torch
net = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
def check(out):
    assert out.max() < 0.5, f"too large: {out.max()}"
for _ in range(3):
    out = net(torch.randn(8, 4, device="cuda"))
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    check(out)
    assert torch.allclose(out, out) and torch.isfinite(out).all()
    accuracy = (out.argmax(1) == 2).float().mean().item()
    assert 0 <= accuracy < 1
    assert out.shape == (8, 4), "its shape is known"
"""


def test_an_assert_that_rests_on_an_invented_value_is_passed_over_and_said(tmp_path: Path) -> None:
    arm = simulated(tmp_path, ASSERTS)
    assert (arm.failure, arm.stopped, len(arm.steps)) == (None, "the script ended", 3)
    text = ASSERTS.lstrip()
    number = line_of(text, "< 0.5")
    first = f"assert passed over: it failed after .item() of a bool taken as False (train.py:{number})"
    where = line_of(text, "accuracy =")
    second = f"assert passed over: it failed after .item() of a float32 taken as 1.0 (train.py:{where})"
    passed = {(row.line, row.what): row.times for row in invented(arm) if "passed over" in row.what}
    assert passed == {(number, first): 3, (line_of(text, "accuracy < 1"), second): 3}


def test_an_assert_that_fails_before_any_value_was_invented_is_the_scripts(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch
        labels = torch.tensor([0, 1, 7]).cuda()
        assert torch.zeros(3).cuda().sum() == 0
        assert labels.max() < 5, "a label is out of range"
        """,
    )
    assert arm.stopped == "the script failed"
    assert arm.failure is not None
    assert (arm.failure.type, arm.failure.line) == ("AssertionError", 4)
    assert invented(arm) == ()


STOPS = """
import math, sys, torch
net = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(3):
    loss = net(torch.randn(8, 4, device="cuda")).pow(2).mean()
    if torch.isnan(loss) or loss.isnan() or not torch.isfinite(loss) or torch.isinf(loss).any():
        raise ValueError("not finite")
    opt.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if not math.isfinite(norm) or not math.isfinite(loss.item()):
        sys.exit(1)
    opt.step()
"""


def test_values_are_made_up_so_that_all_is_well(tmp_path: Path) -> None:
    arm = simulated(tmp_path, STOPS)
    assert (arm.failure, arm.stopped, len(arm.steps)) == (None, "the script ended", 3)


@pytest.mark.parametrize(
    ("end", "last"),
    [
        ("raise RuntimeError('diverged')", "RuntimeError: diverged"),
        ("sys.exit('diverged')", "SystemExit: diverged"),
        ("{0: 1}[int(loss.item())]", "KeyError: 1"),
    ],
)
def test_a_failure_behind_an_invented_value_may_be_the_simulations(
    tmp_path: Path, end: str, last: str
) -> None:
    text = STOPS + f"    if loss.item() > 0.5:\n        {end}\n"
    script(tmp_path, text)
    made = run(tmp_path, "--device", "simulate", "--no-fix", "train.py")
    assert made.returncode == 2
    said = " ".join(made.stdout.split())
    number = line_of(text.lstrip(), "if loss.item()")
    assert f"the simulation ended at train.py:{number + 1}: it was given invented values: " in said
    assert f".item() of a float32 taken as 1.0 (train.py:{number})" in said
    assert f"; then {last}" in said
    assert "the script failed" not in said + made.stderr
    assert "in backward" in said or "in forward" in said


def test_a_failure_that_no_value_explains_is_the_scripts(tmp_path: Path) -> None:
    arm = simulated(tmp_path, STOPS + "    print(loss.item(), undefined)\n")
    assert arm.stopped == "the script failed"
    assert arm.failure is not None
    assert arm.failure.type == "NameError"


FALLBACK = """
import torch
def train(size):
    net = torch.nn.Linear(1024, 1024, bias=False).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        loss = net(torch.empty(size, 1024, device="cuda")).square().mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
size = 1 << 20
while True:
    try:
        train(size)
        break
    except torch.cuda.OutOfMemoryError as error:
        assert "CUDA out of memory." in str(error)
        torch.cuda.empty_cache()
        size //= 2
assert size == 1 << 15
"""


def test_a_script_that_halves_its_batch_until_it_fits_is_followed(tmp_path: Path) -> None:
    arm = simulated(tmp_path, FALLBACK, device_memory=1 << 30)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert arm.exhausted is not None
    assert arm.exhausted.times == 5
    assert arm.exhausted.line == line_of(FALLBACK.lstrip(), "loss.backward()")
    assert arm.exhausted.forward_line == line_of(FALLBACK.lstrip(), "loss = net")
    assert arm.cuda["reserved_peak"] <= 1 << 30
    assert len(arm.steps) == 3
    assert arm.losses == ()


DEAD = """
import torch
from memlint.runtime.simulate.mirrors import MIRRORS
old = torch.zeros(4, device="cuda")
assert MIRRORS.of(old) is not None
(tracker,) = [mode for mode in torch.utils._python_dispatch._get_current_dispatch_mode_stack()]
tracker._lose(ValueError("of memlint"))
new = torch.zeros(4, device="cuda")
assert MIRRORS.of(old) is None and MIRRORS.of(new) is None
"""


def test_where_deaths_are_not_seen_no_value_is_known(tmp_path: Path) -> None:
    """A storage of later may have the key of one that has died, whose value is another."""
    arm = simulated(tmp_path, DEAD)
    assert (arm.failure, len(arm.lost)) == (None, 1)


LISTS = """
import torch
known = torch.tensor([3.0, 4.0]).cuda()
total = torch.tensor([known[0], 8], dtype=torch.float32, device="cuda")
assert total.tolist() == [3, 8]
assert torch.tensor([[known[1:], 2], [1, known.sum()]]).tolist() == [[4, 2], [1, 7]]
assert torch.tensor([known.half()[0]]).dtype == torch.float16
assert torch.as_tensor((known.long()[1], 5)).tolist() == total.new_tensor([known[1], 5]).tolist() == [4, 5]
assert torch.FloatTensor([known[0], 8]).tolist() == torch.LongTensor((known.long()[0], 8)).tolist() == [3, 8]
assert torch.BoolTensor([[known[0] > 3], [True]]).tolist() == [[False], [True]]
assert torch.Tensor([known[0]]).item() == torch.cuda.DoubleTensor([known[0], 1])[0].item() == 3
with torch.inference_mode():
    assert torch.HalfTensor([known[1]]).item() == torch.asarray([known[1]]).item() == 4
for make in (torch.tensor, torch.FloatTensor):
    try:
        make([known])
    except (ValueError, TypeError) as error:
        assert "only one element tensors can be converted" in str(error)
    else:
        raise AssertionError(make)
losses = [torch.nn.Linear(4, 1).cuda()(torch.rand(2, 4, device="cuda")).mean() for _ in range(3)]
print(torch.tensor(losses).mean().item())
"""


def test_a_tensor_is_made_of_a_list_with_numbers_of_the_gpu(tmp_path: Path) -> None:
    arm = simulated(tmp_path, LISTS)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    line = LISTS.lstrip().split("\n").index("print(torch.tensor(losses).mean().item())") + 1
    assert [(row.line, row.times) for row in invented(arm)] == [(line, 3)]


UNFINISHED = """
import torch
unfinished, length = torch.ones(4, dtype=torch.long, device="cuda"), 0
words = torch.randint(0, 10, (4,), device="cuda")
while not unfinished.max() == 0:
    length += 1
    assert length < 9
    done = torch.full((4,), length >= 8, device="cuda") | torch.isin(words, torch.tensor([3], device="cuda"))
    unfinished = unfinished & ~done
assert length == 8
def unknown():
    return words > 3
def known(value):
    return torch.full((4,), value, device="cuda")
assert not (known(False) & unknown()).any() and torch.logical_or(unknown(), known(True)).all()
mask = unknown()
mask |= known(True)
assert mask.all()
mask &= known(False)
assert not mask.any()
numbers = words | torch.ones(4, dtype=torch.long, device="cuda")
assert numbers.sum() == 1  # made up
"""


def test_an_operand_that_decides_alone_makes_a_result_known(tmp_path: Path) -> None:
    """Generation goes on until all sentences are finished, or are as long as allowed."""
    arm = simulated(tmp_path, UNFINISHED)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert line_of(UNFINISHED.lstrip(), "# made up") in [row.line for row in invented(arm)]


COUNTED = """
import torch
unknown = torch.rand(8, 10, device="cuda")
mask = unknown > 0.5
kept = unknown[mask]
assert kept.shape == torch.ones(int(mask.sum())).shape == (80 * SHARE // 100,)
assert mask.count_nonzero().item() == mask.long().sum().item() * 80 * SHARE // 100
lengths = mask.sum(1)
assert lengths.max().item() == lengths[2].item() == 10 * SHARE // 100
assert lengths.tolist() == [10 * SHARE // 100] * 8
assert sum(row.shape[0] for row in unknown[0][: lengths[0]].split(1)) == 10 * SHARE // 100
right = unknown.argmax(1) == torch.randint(0, 10, (8,), device="cuda")
ended = unknown.argmax(1) == 3
assert right.sum().item() == (right & mask[:, 0]).sum().item() == ended.sum().item() == 1
"""


@pytest.mark.parametrize("share", [100, 50])
def test_a_mask_has_as_many_elements_as_it_selects(tmp_path: Path, share: int) -> None:
    """Numbers of right predictions stay small: scripts stop when all are right."""
    arm = simulated(tmp_path, COUNTED.replace("SHARE", str(share)), selected=share)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
