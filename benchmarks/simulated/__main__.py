"""`python -m benchmarks.simulated`: predicted peaks of scripts, beside real ones where there is a GPU.

The scripts ask for CUDA without any test. Each is run to its end, once simulated and, on a machine with a
GPU, once there by torch alone; the allocator's own counters stand side by side. Where this torch cannot be
simulated, predictions that were written before stand beside what is real; without a GPU, what was measured
before stays beside new predictions.

Without names all scripts are run, and docs/simulated-peaks.md is written, with the data beside it (.json),
again after every script. With names, the rows are printed. Scripts of libraries that are not installed are
named and keep the row that they had. Exit code 2 when a script could not be run, 3 when the budget was used
up before all were.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

from benchmarks.simulated import runs
from benchmarks.simulated.table import Comparison, Figures, Row, markdown, read, write
from memlint.runtime.simulate import why_not

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "simulated-peaks.md"
CASES = {
    "cnn": "cnn.py",
    "gpt": "gpt.py",
    "gpt-163M": "gpt.py --batch 16 --length 512 --width 768 --layers 12 --words 50304",
    "resnet50": "resnet.py",
    "resnet50-bf16": "resnet.py --half",
    "vit-b16-bf16": "vit.py",
    "mobilenet": "mobilenet.py",
    "amp": "amp.py",
    "rnn": "rnn.py",
    "tagger": "tagger.py",
    "gpt2-bf16": "gpt2.py",
    "gpt2-bf16-checkpoint": "gpt2.py --checkpoint",
    "unet-fp16": "unet.py",
    "gan": "gan.py",
    "translate": "translate.py",
    "llama-fused": "llama.py --optimizer fused",
    "llama-foreach": "llama.py --optimizer foreach",
    "llama-loop": "llama.py --optimizer loop",
    "llama-adafactor": "llama.py --optimizer adafactor",
    "llama-lora-checkpoint": "llama.py --lora",
    "diffusion-bf16": "diffusion.py",
    "ppo": "ppo.py",
    "detector": "detector.py",
    "recommend": "recommend.py",
    "evaluation": "evaluation.py",
    "ddp": "sharded.py --how ddp",
    "fsdp2": "sharded.py --how fsdp",
    "trainer-bert-bf16": "trainer.py",
    "peft-llama-lora": "adapters.py",
    "timm-convnext": "models.py convnext_tiny",
    "timm-efficientnet": "models.py efficientnet_b0",
    "timm-swin": "models.py swin_tiny_patch4_window7_224",
    "t5": "t5.py",
    "whisper": "whisper.py",
    "clip-checkpoint": "clip.py",
    "trainer-llama-checkpoint": "causal.py",
    "torchvision-deeplab": "segments.py",
    "torchvision-r3d": "video.py",
    "lightning-efficientnet": "lightning_module.py",
    "geometric-attention": "graph.py",
    "gpt-6.7B": "gpt.py --batch 1 --length 2048 --width 4096 --layers 32 --words 32000",
}
"""Name in the table to script and arguments."""
ALONE = ("gpt-6.7B",)
"""Cases that leave no room on the card for others."""
LIBRARIES = {
    "trainer.py": ("transformers", "accelerate"),
    "adapters.py": ("transformers", "peft"),
    "models.py": ("timm",),
    "t5.py": ("transformers",),
    "whisper.py": ("transformers",),
    "clip.py": ("transformers",),
    "causal.py": ("transformers", "accelerate"),
    "segments.py": ("torchvision",),
    "video.py": ("torchvision",),
    "lightning_module.py": ("lightning", "torchvision"),
    "graph.py": ("torch_geometric",),
}
"""What scripts import beside torch; versions are in libraries.txt."""


def predict(command: str) -> Figures:
    """The simulated run of one script.

    Raises:
        RuntimeError: memlint could not do it; the message is what it said.
    """
    outcome = runs.simulated(command)
    arm = outcome.arm
    assert arm is not None
    invented = sum(found.times for found in arm.simulation.invented) if arm.simulation is not None else 0
    return Figures(arm.cuda["allocated_peak"], arm.cuda["reserved_peak"], version("torch"), invented)


def take(command: str) -> Figures:
    """The real run of one script.

    Raises:
        RuntimeError: it did not come to its end; the message is why.
    """
    found = runs.real(command)
    if found.problem:
        raise RuntimeError(found.problem)
    return Figures(found.allocated, found.reserved, found.torch, context=found.context)


def lacking(name: str) -> list[str]:
    """The libraries of a case that are not installed."""
    wanted = LIBRARIES.get(CASES[name].partition(" ")[0], ())
    return [library for library in wanted if importlib.util.find_spec(library) is None]


def digest(name: str) -> str:
    """A short digest of what a case runs: without the docstring of its script."""
    command = CASES[name]
    text = (runs.SCRIPTS / command.partition(" ")[0]).read_text(encoding="utf-8")
    code = text.partition('"""')[2].partition('"""')[2]
    return hashlib.sha256(f"{command}\n{code}".encode()).hexdigest()[:16]


@cache
def cannot_simulate() -> str:
    """Why there are no simulated runs here, "" where there are: tried once."""
    return why_not()


def measure(name: str, *, real: bool, earlier: Row | None = None) -> Row:
    """Both runs of one case.

    Raises:
        RuntimeError: there is neither a prediction nor a measurement.
    """
    known = earlier if earlier is not None and earlier.digest == digest(name) else None
    unable = cannot_simulate()
    if unable and not real:
        raise RuntimeError(unable)
    predicted, why = (known.simulated if known else None), ""
    if not unable:
        try:
            predicted = predict(CASES[name])
        except RuntimeError as error:
            if not real:
                raise
            why = str(error)
    row = Row(name, digest(name), predicted, unsimulated=why)
    if not real:
        return row if known is None else replace(row, real=known.real, problem=known.problem)
    try:
        return replace(row, real=take(CASES[name]))
    except RuntimeError as error:
        return replace(row, problem=str(error))


def device_name() -> str:
    """The GPU and its driver, "" where torch finds none."""
    code = "import torch; print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    name = done.stdout.strip()
    if not name:
        return ""
    asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        driver = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        driver = "unknown"
    return f"{name}, driver {driver}"


def compare(
    names: Iterable[str], gpu: str, earlier: Comparison, budget: float, page: Path | None, jobs: int = 1
) -> tuple[Comparison, list[str], list[str]]:
    """Measure cases, so many at once; the page is written again after each.

    Gives the table, the names of those that the budget left out, and what went wrong with others.
    """
    end = time.monotonic() + budget
    known_rows = {name: earlier.rows[name] for name in CASES if name in earlier.rows}
    found = Comparison(gpu or earlier.gpu, known_rows)
    if gpu and gpu != earlier.gpu:
        bare = {name: replace(row, real=None, problem="") for name, row in found.rows.items()}
        found = Comparison(gpu, bare)
    known = found.rows

    def one(name: str) -> Row | None:
        late = time.monotonic() >= end
        return None if late else measure(name, real=bool(gpu), earlier=known.get(name))

    late: list[str] = []
    problems: list[str] = []
    names = list(names)
    groups = [name for name in names if name not in ALONE], [name for name in names if name in ALONE]
    for group in groups:
        with ThreadPoolExecutor(jobs) as pool:
            begun = {pool.submit(one, name): name for name in group}
            for done in as_completed(begun):
                name = begun[done]
                try:
                    row = done.result()
                except RuntimeError as error:
                    problems.append(f"{name}: {error}")
                    continue
                if row is None:
                    late.append(name)
                    continue
                rows = {**found.rows, name: row}
                found = replace(found, rows={case: rows[case] for case in CASES if case in rows})
                if page is not None:
                    write(found, page)
                print(f"{name}: {row.real or row.simulated or row.problem}", file=sys.stderr, flush=True)
    return found, late, problems


def is_done(row: Row | None, gpu: str) -> bool:
    """Whether a row that was written before needs no other run."""
    if row is None or row.digest != digest(row.name):
        return False
    tried = row.simulated is not None or bool(row.unsimulated)
    return tried and (row.real is not None or not gpu)


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: all of {', '.join(CASES)}")
    parser.add_argument(
        "-o", "--output", type=Path, help="the page to write; its data goes beside it (.json)"
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=float("inf"),
        metavar="SECONDS",
        help="begin no script after that; the others are named",
    )
    parser.add_argument("--jobs", type=int, default=1, help="scripts at once (default: 1)")
    parser.add_argument(
        "--resume", action="store_true", help="keep the rows of the page's data that are whole, of this GPU"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the chosen cases and print or write the table."""
    parser = options()
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.cases if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}")
    gpu = device_name()
    page = chosen.output or (None if chosen.cases else PAGE)
    earlier = read((page if page is not None and page.exists() else PAGE).with_suffix(".json"))
    if not gpu:
        runs.simulate_as(min((row.real.torch for row in earlier.rows.values() if row.real), default=""))
    names = chosen.cases or list(CASES)
    if chosen.resume and earlier.gpu == gpu:
        names = [name for name in names if not is_done(earlier.rows.get(name), gpu)]
    apart = {name: lacking(name) for name in names}
    names = [name for name in names if not apart[name]]
    found, late, problems = compare(names, gpu, earlier, chosen.budget, page, chosen.jobs)
    if page is None:
        print(markdown(Comparison(gpu, {name: found.rows[name] for name in names if name in found.rows})))
    for problem in problems:
        print(f"not run: {problem}", file=sys.stderr)
    for name, libraries in apart.items():
        if libraries:
            print(f"{name}: left out, {' and '.join(libraries)} not installed", file=sys.stderr)
    if late:
        print(f"left out, go on with --resume: {', '.join(late)}", file=sys.stderr)
    return 2 if problems else 3 if late else 0


if __name__ == "__main__":
    sys.exit(main())
