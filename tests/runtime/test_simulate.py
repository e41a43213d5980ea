"""Replays on a simulated GPU: bytes worked out by hand, the CPU tracker's bytes, what scripts ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.simulated import __main__ as benchmark
from benchmarks.simulated.table import line
from memlint.session import SIMULATED, Arm
from memlint.session_file import from_json
from tests.runtime.simulated import MIB, MLP, WORKSPACES, needs_simulation, run, simulated
from tests.runtime.support import line_of, measure, script

pytestmark = [needs_simulation, pytest.mark.usefixtures("torch_once")]


# --- bytes ----------------------------------------------------------------------------------------------


def test_a_linear_network_needs_the_bytes_that_its_shapes_add_up_to(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MLP)
    assert arm.failure is None
    assert arm.device == SIMULATED
    first, second, batch, hidden = 512 * 256 * 4, 10 * 512 * 4, 64 * 256 * 4, 64 * 512 * 4
    # Highest when backward has the gradients of both weights and that of the hidden layer; the loss and
    # the gradient of the loss are one number each.
    tensors = 2 * (first + second) + batch + hidden
    assert (arm.peak.bytes, arm.peak.phase) == (tensors + 2 * 4, "backward")
    assert arm.cuda["requested_peak"] == tensors + 2 * 4 + WORKSPACES
    assert arm.cuda["allocated_peak"] == tensors + 2 * 512 + WORKSPACES
    assert arm.cuda["reserved_peak"] == 2 * MIB + WORKSPACES
    assert arm.cuda["workspaces"] == WORKSPACES
    assert arm.kinds == {
        "parameter": first + second,
        "gradient": first + second,
        "temporary": hidden,
        "input": batch,
        "activation": 2 * 4,
    }
    assert arm.losses == ()


def test_adam_holds_weights_five_times_within_its_step(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch
        net = torch.nn.Linear(1024, 1024, bias=False).cuda()
        opt = torch.optim.Adam(net.parameters())
        x = torch.randn(1, 1024, device="cuda")
        for _ in range(3):
            opt.zero_grad()
            loss = net(x).sum()
            loss.backward()
            opt.step()
        """,
    )
    # Weight, gradient, two averages, and the square root of the second.
    assert (arm.peak.bytes, arm.peak.phase) == (5 * 4 * MIB + 4096 + 4, "optimizer")
    assert arm.cuda["allocated_peak"] == 5 * 4 * MIB + 4096 + 512 + WORKSPACES
    assert arm.cuda["reserved_peak"] == 20 * MIB + 2 * MIB + WORKSPACES
    assert arm.kinds["optimizer state"] == 8 * MIB
    assert arm.kinds["gradient"] == 4 * MIB


CONVOLUTIONS = """
import torch, torch.nn as nn, torch.nn.functional as F
device = "cuda" if torch.cuda.is_available() else "cpu"
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm, self.b = nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.Linear(16, 5)
    def forward(self, x):
        return self.b(F.relu_(self.norm(self.a(x))).mean((2, 3)))
net = Net().to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, foreach=True)
for _ in range(4):
    x = torch.randn(8, 3, 24, 24, device=device)
    y = torch.randint(0, 5, (8,), device=device)
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


SUMS = """
import torch
device = "cuda" if torch.cuda.is_available() else "cpu"
net = torch.nn.Linear(64, 512, bias=False).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1, foreach=True)
x = torch.randn(1024, 64, device=device)
for _ in range(3):
    opt.zero_grad()
    h = net(x)
    loss = (h * 2).sum() + (h * 3).sum() + (h * 4).sum()
    loss.backward()
    opt.step()
"""
"""Backward holds the sum of two gradients of `h` and a third one at its peak, and no fourth."""


@pytest.mark.parametrize("text", [MLP, CONVOLUTIONS, SUMS])
def test_it_agrees_with_what_the_same_script_holds_on_the_cpu(tmp_path: Path, text: str) -> None:
    there = simulated(tmp_path / "gpu", text)
    here = measure(script(tmp_path / "cpu", text), tmp_path / "w", device="cpu")
    assert here.device == "cpu"
    assert [step.bytes for step in there.steps] == [step.bytes for step in here.steps]
    assert there.peak.bytes == here.peak.bytes
    assert there.cuda["requested_peak"] == here.peak.bytes + WORKSPACES
    assert there.kinds == here.kinds
    assert made_by(there) == made_by(here)


def made_by(arm: Arm) -> list[tuple[int, int, str, int]]:
    """Who holds the peak, but for the parameters: on a GPU the line that moves them has made them."""
    kept = (row for row in arm.lines if row.kind != "parameter" and row.phase != "setup")
    return [(row.line, row.forward_line, row.kind, row.bytes) for row in kept]


def test_growth_is_counted_in_blocks_and_attributed(tmp_path: Path) -> None:
    text = (
        MLP.replace("for _ in range(5)", "kept = []\nfor _ in range(12)") + "    kept.append(loss.detach())\n"
    )
    arm = simulated(tmp_path, text)
    assert [(row.line, row.bytes_per_step, row.block_bytes_per_step) for row in arm.growth] == [
        (line_of(text.lstrip(), "loss = net"), 4, 512)
    ]
    gradients = [row for row in arm.lines if row.kind == "gradient"]
    assert {row.forward_line for row in gradients} == {line_of(text.lstrip(), "loss = net")}


def test_torch_cuda_answers_from_the_model(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch
        torch.cuda.manual_seed_all(0)
        assert torch.cuda.device_count() == 1 and torch.cuda.current_device() == 0
        assert torch.cuda.get_device_properties(0).total_memory == 140 << 30
        assert torch.cuda.memory_allocated() == torch.cuda.memory_reserved() == 0
        kept = torch.empty(1000, device="cuda")
        large = torch.empty(30 << 20, dtype=torch.uint8, device="cuda:0")
        assert torch.cuda.memory_allocated() == 4096 + (30 << 20)
        assert torch.cuda.memory_reserved() == (2 << 20) + (30 << 20)
        del large
        torch.cuda.synchronize()
        assert torch.cuda.memory_allocated() == 4096
        assert torch.cuda.max_memory_allocated() == 4096 + (30 << 20)
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        assert torch.cuda.memory_reserved() == torch.cuda.max_memory_reserved() == 2 << 20
        free, total = torch.cuda.mem_get_info()
        assert (total - free, total) == (2 << 20, 140 << 30)
        assert torch.cuda.memory_stats()["allocated_bytes.all.peak"] == 4096
        with torch.cuda.stream(torch.cuda.Stream()):
            moved = torch.ones(4).pin_memory().to("cuda", non_blocking=True)
        assert moved.device == torch.device("cuda", 0) and moved.is_cuda
        assert moved.tolist() == [1, 1, 1, 1] and int(moved.sum()) == 4
        """,
    )
    assert arm.failure is None, arm.failure
    assert arm.simulation is not None
    assert arm.simulation.invented == ()


# --- what scripts ask for -------------------------------------------------------------------------------

MIXED = """
import copy, torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 32)
        self.block = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.head = nn.Linear(32, 50, bias=False)
        self.head.weight = self.words.weight
    def forward(self, x):
        return self.head(checkpoint(self.block, self.words(x), use_reentrant=False))
net = Net()
opt = torch.optim.AdamW(net.parameters())
net.to(device)
assert net.head.weight is net.words.weight and net.head.weight.is_cuda
assert opt.param_groups[0]["params"][0] is net.words.weight
ema = copy.deepcopy(net)
scaler = torch.amp.GradScaler("cuda")
data = TensorDataset(torch.randint(0, 50, (64, 12)), torch.randint(0, 50, (64, 12)))
best = float("inf")
for epoch in range(2):
    for x, y in DataLoader(data, 8, shuffle=True, num_workers=2, pin_memory=True, persistent_workers=True):
        x, y = x.to(device, non_blocking=True), y.cuda(non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = net(x)
            assert out.dtype == torch.float16
            loss = F.cross_entropy(out.flatten(0, 1), y.flatten())
        if not torch.isfinite(loss):
            raise SystemExit("diverged")
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        print(f"{loss:.3f} {(out.argmax(-1) == y).float().mean().item():.2f} {int(y.max())}")
    chosen = out[out > 0.5]
    torch.save({"net": net.state_dict(), "epoch": epoch}, "last.pt")
again = torch.load("last.pt", map_location=device)
net.load_state_dict(again["net"])
assert again["net"]["words.weight"].is_cuda and again["epoch"] == 1
"""


def test_mixed_precision_ties_loaders_and_checkpoints_run_unchanged(tmp_path: Path) -> None:
    arm = simulated(tmp_path, MIXED, steps=20)
    assert (arm.failure, arm.stopped) == (None, "the script ended")
    assert arm.simulation is not None
    made_up = {(row.line, row.what): row.times for row in arm.simulation.invented}
    lines = MIXED.lstrip()
    printed, chosen = line_of(lines, "print("), line_of(lines, "chosen =")
    steps = len(arm.steps)
    # One number is the loss, the other the accuracy; the largest label is known, for labels are real.
    assert made_up[printed, ".item() of a float32 taken as 1.0"] == 2 * steps
    assert not any(line == printed and "int64" in what for line, what in made_up)
    assert made_up[chosen, "number of elements selected by a mask taken as all"] == 2
    assert made_up[line_of(lines, "isfinite(loss)"), "isfinite() taken as true"] == steps
    assert made_up[line_of(lines, "scaler.step"), "gradients taken as finite by GradScaler"] == steps
    assert any("attention" in term for term in arm.simulation.unknown)
    assert any("without workers" in note for note in arm.notes)
    weights = sum(count * 4 for count in (50 * 32, 4 * 32 * 32 + 4 * 32, 2 * 64 * 32 + 64 + 32, 4 * 32))
    assert arm.kinds["parameter"] == weights
    # The copy of the weights, and the mask of the last line: no node of the graph was made with it.
    assert arm.kinds["other"] == weights + 8 * 12 * 50
    assert arm.kinds["optimizer state"] == 2 * weights


def test_other_ways_to_write_a_script_run_too(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch, torch.nn as nn
        with torch.device("cuda"):
            lstm = nn.LSTM(8, 4, batch_first=True)
        wrapped = nn.DataParallel(nn.Linear(8, 3).cuda())
        rows = torch.randn(3, 5, 8, device="cuda")
        lengths = torch.tensor([5, 2, 1])
        packed = nn.utils.rnn.pack_padded_sequence(rows, lengths, batch_first=True)
        assert packed.data.shape == (8, 8)
        out, _ = nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)
        assert out.shape == (3, 5, 4)
        action = torch.distributions.Categorical(logits=wrapped(rows[:, 0])).sample()
        assert action.shape == (3,) and action.is_cuda
        opt = torch.optim.LBFGS(wrapped.parameters(), max_iter=2)
        def closure():
            opt.zero_grad()
            loss = wrapped(rows[:, 0]).pow(2).sum()
            loss.backward()
            return loss
        opt.step(closure)
        with torch.no_grad():
            assert int(lengths.cuda().max()) == 5
        before = torch.cuda.memory_allocated()
        with torch.inference_mode(), torch.autocast("cuda"):
            moved = torch.randn(4, 8).to("cuda", non_blocking=True)
            scores = wrapped(moved).softmax(-1)
            assert scores.dtype == torch.float32 and (scores.argmax(1) == 1).sum().item() in (0, 1)
        assert torch.cuda.memory_allocated() - before == 512 + 512
        half = nn.Linear(8, 8).cuda().half()
        assert half.weight.dtype == torch.float16
        torch.save(half, "half.pt")
        assert torch.load("half.pt", weights_only=False)(rows.half()).is_cuda
        try:
            rows.numpy()
        except TypeError as error:
            assert "Use Tensor.cpu()" in str(error)
        else:
            raise AssertionError
        """,
    )
    assert arm.failure is None, arm.failure


def test_the_committed_table_is_what_is_predicted_now(monkeypatch: pytest.MonkeyPatch) -> None:
    # As torch 2.11, with which the real runs were made.
    monkeypatch.setenv("TORCH_CUBLASLT_UNIFIED_WORKSPACE", "0")
    root = Path(__file__).parents[2]
    rows = (root / "docs" / "simulated-peaks.md").read_text(encoding="utf-8").splitlines()
    made = benchmark.measure("cnn", real=False)
    written = next(row for row in rows if row.startswith("| cnn |")).split("|")
    again = line(made).split("|")
    assert [again[column] for column in (1, 2, 5, 9)] == [written[column] for column in (1, 2, 5, 9)]
    assert {row.split("|")[1].strip() for row in rows if row.startswith("| ")} == {"script", *benchmark.CASES}


def test_device_memory_that_does_not_suffice_is_a_result_with_its_line(tmp_path: Path) -> None:
    script(
        tmp_path,
        "import torch\nkept = []\nwhile True:\n    kept.append(torch.empty(64 << 20, device='cuda'))\n",
    )
    made = run(
        tmp_path, "--device", "simulate", "--device-memory", "1", "--no-fix", "-o", "s.json", "train.py"
    )
    assert made.returncode == 1, made.stderr
    said = " ".join(made.stdout.split())
    assert "it ended at train.py:4: OutOfMemoryError: CUDA out of memory. Simulated: tried to" in said
    arm = from_json((tmp_path / "s.json").read_text(encoding="utf-8"), "s.json").original
    assert arm.peak.bytes == arm.cuda["reserved_peak"] == 1 << 30


def test_speech_models_are_trained_on_ctc_loss(tmp_path: Path) -> None:
    arm = simulated(
        tmp_path,
        """
        import torch, torch.nn.functional as F
        net = torch.nn.Linear(40, 20).cuda()
        opt = torch.optim.SGD(net.parameters(), 0.1)
        for _ in range(3):
            x = net(torch.randn(50, 4, 40, device="cuda")).log_softmax(2)
            words = torch.randint(1, 20, (4, 8), device="cuda")
            loss = None
            before = torch.cuda.memory_allocated()
            loss = F.ctc_loss(x, words, torch.full((4,), 50), torch.tensor([8, 3, 5, 2]), reduction="none")
            # Four losses and, for backward, 50 steps of 2 * 8 + 1 states of 4 words.
            assert torch.cuda.memory_allocated() - before == 512 + 13824
            loss = loss.sum() + F.ctc_loss(x, words, torch.full((4,), 50).cuda(), (8,) * 4)
            opt.zero_grad()
            loss.backward()
            assert net.weight.grad is not None
            opt.step()
        """,
    )
    assert arm.failure is None
    assert arm.counts["optimizer step"] == 3


@pytest.mark.parametrize(
    ("targets", "lengths", "loss", "fails"),
    [
        ("int32", "int32", "", True), ("int64", "int32", "", False), ("int32", "int64", "", False),
        ("int32", "int32, device='cuda'", "", False), ("int32", "int32", "reduction='sum'", False),
        ("int32", "int32", "blank=19", False),
    ],
)  # fmt: skip
def test_ctc_loss_of_cudnn_has_its_lengths_on_the_gpu(
    tmp_path: Path, targets: str, lengths: str, loss: str, fails: bool
) -> None:
    text = f"""
    import torch
    x = torch.randn(50, 4, 20, device="cuda", requires_grad=True).log_softmax(2)
    words = torch.randint(1, 19, (32,), dtype=torch.{targets})
    steps, lengths = (torch.full((4,), n, dtype=torch.{lengths}) for n in (50, 8))
    torch.nn.functional.ctc_loss(x, words, steps, lengths, {loss}).sum().backward()
    """
    arm = simulated(tmp_path, text)
    assert (arm.failure is not None) is fails
    assert not fails or "found at least two devices, cuda:0 and cpu" in arm.failure.message


@pytest.mark.parametrize("kind", ["AssertionError", "AttributeError", "KeyError", "NameError"])
def test_a_mistake_of_a_kernel_is_not_taken_for_one_of_the_script(tmp_path: Path, kind: str) -> None:
    arm = simulated(
        tmp_path,
        f"""
        import torch
        from memlint.runtime.simulate import kernels
        names = {{}}
        exec(compile("def fail(*given): raise {kind}('no')", kernels.__file__, "exec"), names)
        kernels.KERNELS[torch.ops.aten.nonzero.default] = names["fail"]
        try:
            torch.randn(2, device="cuda").nonzero()
        except {kind}:
            print("goes on")
        """,
    )
    assert arm.failure is not None
    assert arm.failure.type == "Unsimulated"
    said = f"memlint itself raised {kind} at memlint/runtime/simulate/kernels.py"
    assert arm.failure.message.startswith(said)


def test_only_tensors_that_share_memory_have_one_address(tmp_path: Path) -> None:
    """Hugging Face's checkpoints refuse weights that seem to share memory."""
    arm = simulated(
        tmp_path,
        """
        import torch
        first, second = torch.nn.Linear(8, 8).cuda(), torch.nn.Linear(8, 8).cuda()
        addresses = {p.untyped_storage().data_ptr() for net in (first, second) for p in net.parameters()}
        assert len(addresses) == 4 and 0 not in addresses
        assert first.weight.t().untyped_storage().data_ptr() == first.weight.untyped_storage().data_ptr()
        assert torch.empty(0, device="cuda").untyped_storage().data_ptr() == 0
        """,
    )
    assert arm.failure is None


STREAMS = """
import torch
MIB = 1 << 20
side, reserved = torch.cuda.Stream(), torch.cuda.memory_reserved
with torch.cuda.stream(side):
    assert torch.cuda.current_stream() is side
    mine = torch.empty(32 * MIB, dtype=torch.uint8, device="cuda")
    with torch.cuda.stream(torch.cuda.default_stream()):
        other = torch.empty(16 * MIB, dtype=torch.uint8, device="cuda")
assert torch.cuda.current_stream() is torch.cuda.default_stream()
del mine, other
again = torch.empty(16 * MIB, dtype=torch.uint8, device="cuda")
assert reserved() == 48 * MIB
more = torch.empty(8 * MIB, dtype=torch.uint8, device="cuda")
assert reserved() == 68 * MIB, "a free block of another stream is none"
torch.cuda.set_stream(side)
last = torch.empty(30 * MIB, dtype=torch.uint8, device="cuda")
assert reserved() == 68 * MIB
"""


def test_what_is_free_of_one_stream_is_not_for_another(tmp_path: Path) -> None:
    assert simulated(tmp_path, STREAMS).failure is None


def test_torch_describes_itself_as_a_build_with_cuda(tmp_path: Path) -> None:
    """Scripts split its version of CUDA, compare NCCL's, and mark where to profile."""
    script = """
import torch
import torch.distributed as dist
assert 'PyTorch' in torch.__config__.show()
major, minor = map(int, torch.version.cuda.split("."))
assert major >= 12 and torch.backends.cuda.is_built()
bf16_ready = torch.version.cuda and torch.cuda.is_bf16_supported() and dist.is_nccl_available()
assert bf16_ready and torch.cuda.nccl.version() >= (2, 10)
assert torch.backends.cudnn.is_available() and torch.backends.cudnn.version() >= 8000
torch.cuda.profiler.start()
torch.cuda.cudart().cudaProfilerStop()
torch.cuda.check_error(torch.cuda.cudart().cudaProfilerStart())
x = torch.zeros(1024, device="cuda")
assert torch.cuda.memory_snapshot() == []
assert 0 < torch.cuda.get_per_process_memory_fraction() <= 1
if hasattr(getattr(torch, "accelerator", None), "memory_allocated"):
    assert torch.accelerator.memory_allocated() == 4096 == torch.accelerator.max_memory_allocated()
    torch.accelerator.empty_cache()
"""
    arm = simulated(tmp_path, script)
    assert arm.failure is None, arm.failure
