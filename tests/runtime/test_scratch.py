"""What kernels work in: sizes that an H200 with torch 2.11 took (docs/simulated-operations.md), in bytes."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.simulated import operations
from benchmarks.simulated.operations import markdown, parsed, read
from tests.runtime.simulated import needs_simulation, simulated
from tests.runtime.support import needs_torch

pytestmark = [needs_torch]
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("outputs", "inputs", "size"),
    [
        (4096, 4096, 134_217_728),
        (64, 65536, 8_388_608),
        (1024, 8192, 67_108_864),
        (768, 25216, 138_412_032),
        (128, 131072, 134_217_728),
        (10, 512, 0),
        (1000, 100, 0),
    ],
)
def test_sums_over_rows_take_what_an_h200_took(outputs: int, inputs: int, size: int) -> None:
    from memlint.runtime.simulate.scratch.native import reduced

    vector = 4 if outputs % 4 == 0 else 2
    assert reduced(132, outputs, inputs, True, vector) == size


CTC = """
import torch
steps, batch, classes, longest = {sizes}
x = torch.empty(steps, batch, classes, device="cuda", requires_grad=True)
targets = torch.ones(batch, longest, device="cuda", dtype=torch.long)
lengths = torch.full((batch,), steps), torch.full((batch,), longest)
y = x.log_softmax(2)
torch.nn.functional.ctc_loss(y, targets, *lengths).backward(inputs=[y])
"""


@needs_simulation
@pytest.mark.parametrize(
    ("sizes", "taken"),
    [
        # An H200 took 11,421,184 for the large one, some lengths more.
        ("200, 32, 100, 40", 9_267_200 + 2 * (32 * 200 * 41 * 4) + 2 * 25_600),
        ("100, 32, 100, 40", 4 * 100 * 32 * (100 + 100 + 81 + 81)),
    ],
)
def test_ctc_loss_has_backward_variables(tmp_path: Path, sizes: str, taken: int) -> None:
    arm = simulated(tmp_path, CTC.format(sizes=sizes))
    assert arm.failure is None
    before = 4 * eval(sizes.replace(",", "*").rpartition("*")[0])
    assert 0 <= arm.cuda["allocated_peak"] - before - taken < 20_000


ATTENDED = """
import torch
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

def taken(*size):
    q, k, v = (torch.empty(size, device="cuda", dtype=torch.{dtype}, requires_grad=True) for _ in range(3))
    given, passes = None, []
    for go in (lambda: F.scaled_dot_product_attention(q, k, v), lambda: given.backward(ones)):
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        found = go()
        given = given if found is None else found
        passes.append(torch.cuda.max_memory_allocated() - before)
        ones = torch.empty_like(given)
    return passes

with sdpa_kernel(SDPBackend.{kernel}):
    taken(1, 1, 8, 8)  # workspaces of cuBLAS
    raise RuntimeError(str(taken({size})))
"""


@needs_simulation
@pytest.mark.parametrize(
    ("size", "dtype", "kernel", "forward", "backward"),
    [
        ("4, 12, 1024, 64", "float32", "MATH", 478_200_320, 616_562_688),
        ("4, 8, 1024, 256", "float32", "MATH", 369_132_032, 436_207_616),
        ("4, 8, 512, 40", "float32", "MATH", 80_757_248, 103_284_736),
        ("4, 12, 1024, 64", "bfloat16", "MATH", 515_949_056, 603_979_776),
        ("4, 8, 1024, 256", "bfloat16", "EFFICIENT_ATTENTION", 50_462_720, None),
        ("4, 12, 1024, 64", "bfloat16", "EFFICIENT_ATTENTION", 6_488_064, 31_666_176),
        ("4, 1, 4096, 512", "bfloat16", "EFFICIENT_ATTENTION", 50_397_184, 136_462_336),
    ],
)
def test_attention_takes_what_an_h200_took(
    tmp_path: Path, size: str, dtype: str, kernel: str, forward: int, backward: int | None
) -> None:
    arm = simulated(tmp_path, ATTENDED.format(size=size, dtype=dtype, kernel=kernel))
    assert arm.failure is not None
    assert arm.failure.message.startswith("["), arm.failure
    there = json.loads(arm.failure.message)
    assert there[0] == pytest.approx(forward, abs=2048)
    assert backward is None or there[1] == pytest.approx(backward, rel=0.01)


COMPARED = """
import torch
from torch.nn import functional as F
go = {call}
torch.mm(*[torch.empty(8, 8, device="cuda")] * 2)  # a workspace of cuBLAS
x = torch.empty({shape}, device="cuda", requires_grad=True)
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
given = go(x)
raise RuntimeError(str([torch.cuda.max_memory_allocated() - before, torch.cuda.memory_allocated() - before]))
"""


@needs_simulation
@pytest.mark.parametrize(
    ("shape", "call", "peak", "kept"),
    [
        # An H200 took 69,271,552, 41,943,040 and 201,327,104 for those with these sizes.
        ("4096, 64", "lambda x: torch.cdist(x, x)", 69_271_552, 67_108_864),
        ("2, 30, 5", "lambda x: torch.cdist(x, x)", 2 * 4 * 30 * 30 + 2 * 4 * 2 * 30 * 7, 2 * 4 * 30 * 30),
        ("30, 5", "lambda x: torch.cdist(x, x, 1.0)", 4 * 30 * 30, 4 * 30 * 30),
        ("8, 32, 64, 64", "lambda x: F.unfold(x, 3, padding=1)", 41_943_040, 37_748_736),
        ("8, 32, 64, 64", "lambda x: F.unfold(x, 16, stride=16)", 4 << 20, 4 << 20),
        ("8, 32, 64, 64", "lambda x: F.unfold(x, 2, stride=4)", 4 << 20, 4 << 20),
        # What is folded keeps the memory of the columns.
        ("8, 288, 4096", "lambda x: F.fold(x, 64, 3, padding=1)", 36 << 20, 36 << 20),
        ("16, 1 << 20", "lambda x: torch.fft.fft(x)", 201_327_104, 134_217_728),
        ("16, 1 << 20", "lambda x: torch.fft.rfft(x)", 67_109_376, 67_109_376),
    ],
)
def test_distances_patches_and_spectra_take_what_torch_does(
    tmp_path: Path, shape: str, call: str, peak: int, kept: int
) -> None:
    arm = simulated(tmp_path, COMPARED.format(shape=shape, call=call))
    assert arm.failure is not None
    assert arm.failure.message.startswith("["), arm.failure
    there = json.loads(arm.failure.message)
    assert there == [pytest.approx(peak, abs=2048), pytest.approx(kept, abs=2048)]


SORTED = """
import torch
x = torch.empty({shape}, device="cuda", dtype=torch.{dtype})
x.{call}
"""


@needs_simulation
@pytest.mark.parametrize(
    ("shape", "dtype", "call", "given", "took"),
    [
        ("1 << 20", "float32", "sort()", 12_582_912, 21_180_927),
        ("1 << 20", "bfloat16", "sort()", 10_485_760, 19_070_463),
        ("1 << 20", "int64", "sort()", 16_777_216, 25_416_191),
        ("256, 10000", "float32", "sort(1)", 30_720_000, 51_200_255),
        ("64, 10000", "float32", "sort(1)", 7_680_000, 20_611_583),
        ("1 << 22", "float32", "logsumexp(0)", 4, 16_777_220),
    ],
)
def test_sorting_takes_what_an_h200_took(
    tmp_path: Path, shape: str, dtype: str, call: str, given: int, took: int
) -> None:
    arm = simulated(tmp_path, SORTED.format(shape=shape, dtype=dtype, call=call))
    assert arm.failure is None
    took_here = arm.cuda["requested_peak"] - arm.peak.bytes
    assert took_here == pytest.approx(took, abs=48 << 10)
    assert arm.peak.bytes > given


CALLS = {
    # The first eight as an H200 took them (docs/simulated-operations.md), to the byte.
    ("empty(4096, 32000)", "x.topk(5)"): 8_783_360,
    ("empty(4 << 20)", "x.topk(1000)"): 423_424,
    ("empty(64, 128000)", "x.topk(50)"): 540_160,
    ("empty(64 << 20)", "x.argmax()"): 9728,
    ("empty(64 << 20)", "x.norm()"): 3584,
    ("empty(64 << 20)", "x.amax()"): 3584,
    ("empty(16 << 20)", "x.isnan().any()"): 16_779_264,
    ("empty(16 << 20)", "x.isfinite().all()"): 117_440_512,
    # Rows of a router are too short for blocks to share them, and those of a classifier are too few.
    ("empty(4096, 8)", "x.topk(2)"): 4096 * 2 * 12,
    ("empty(128, 1000)", "x.topk(5)"): 2560 + 5120,
    # A number for each 65,536 of the longest tensor, for both.
    ("[empty(64 << 20), empty(1 << 20)]", "torch._foreach_norm(x)"): 8192 + 1024,
}
"""What a call takes at most beyond what it is given."""

ONE_AFTER_ANOTHER = """
import functools, torch
empty = functools.partial(torch.empty, device="cuda")
def took(x, call):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    made = call(x)
    return torch.cuda.max_memory_allocated() - before
"""


@needs_simulation
def test_single_calls_take_what_an_h200_took(tmp_path: Path) -> None:
    from memlint.runtime.parent.arms import Request, run
    from tests.runtime.support import script, target

    lines = [f"print(took({given}, lambda x: {call}))" for given, call in CALLS]
    path = script(tmp_path / "home", ONE_AFTER_ANOTHER + "\n".join(lines) + "\n")
    found = run(target(path, device="simulate"), Request("arm", "arm"), tmp_path / "w", lambda steps: None)
    assert dict(zip(CALLS, map(int, found.stdout.split()), strict=True)) == CALLS


LOSSES = """
import torch
x, y = torch.empty(1 << 20, device="cuda"), torch.empty(1 << 20, device="cuda")
loss = torch.nn.functional.{loss}(x, y)
x = y = None
print("left", torch.cuda.memory_allocated())
"""


@needs_simulation
@pytest.mark.parametrize(("loss", "left"), [("mse_loss", 4 << 20), ("l1_loss", 512)])
def test_the_mean_of_squares_keeps_the_storage_of_all(tmp_path: Path, loss: str, left: int) -> None:
    from memlint.runtime.parent.arms import Request, run
    from tests.runtime.support import script, target

    path = script(tmp_path / "home", LOSSES.format(loss=loss))
    found = run(target(path, device="simulate"), Request("arm", "arm"), tmp_path / "w", lambda steps: None)
    assert found.stdout == f"left {left}\n"


def test_the_page_is_what_its_data_say() -> None:
    table = read(DOCS / "simulated-operations.json")
    assert table is not None
    assert markdown(table) == (DOCS / "simulated-operations.md").read_text(encoding="utf-8")
    assert table.gpu.startswith("NVIDIA H200")


def test_what_was_measured_stays_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    before = read(DOCS / "simulated-operations.json")
    assert before is not None
    monkeypatch.setattr(operations.runs, "simulated", lambda command: SimpleNamespace(stdout=""))
    made = operations.run("", before)
    assert (made.gpu, made.real) == (before.gpu, before.real)
    assert made.simulated == {}
    assert operations.run("", None).real == {}


def test_cases_are_read_from_what_the_script_prints() -> None:
    told = {"case": "sort", "peak": 5, "kept": 3, "first": 7}
    failed = {"case": "other", "problem": "RuntimeError: no"}
    found = parsed(f"noise\n{json.dumps(told)}\n{json.dumps(failed)}\n")
    assert (found["sort"].peak, found["sort"].first, found["other"].problem) == (5, 7, "RuntimeError: no")


ONE_HOT = """
import torch
labels = torch.randint(0, 16, ({rows},)).cuda()
before = torch.cuda.memory_allocated()
found = torch.nn.functional.one_hot(labels{given})
peak = torch.cuda.max_memory_allocated() - before
assert found.shape == ({rows}, 16)
{then}
raise SystemExit(str(peak))
"""


@needs_simulation
@pytest.mark.parametrize(
    ("rows", "given", "then", "taken"),
    [
        (1 << 20, ", 16", "", 134_217_728),
        (1 << 20, "", "", 134_217_728),
        (64, ", 16", "assert found.sum() == 64 and bool((found.argmax(1) == labels).all())", 8192),
    ],
)
def test_one_hot_takes_its_result_alone(tmp_path: Path, rows: int, given: str, then: str, taken: int) -> None:
    arm = simulated(tmp_path, ONE_HOT.format(rows=rows, given=given, then=then))
    assert arm.failure is not None
    assert taken <= int(arm.failure.message) <= taken + 2048, arm.failure
