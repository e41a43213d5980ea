"""Models of well-known libraries, small and offline: their modules and lines hold what a hand count says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from memlint.session import Branch
from tests.runtime.support import measure, needs_torch, script
from tests.runtime.test_modules import adds_up

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]


def needs(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"needs {name}")


STEPS = """
for _ in range(3):
    loss_of().backward()
    opt.step()
    opt.zero_grad()
"""

TIMM = """
import timm, torch
model = timm.create_model("resnet18", num_classes=10)
opt = torch.optim.SGD(model.parameters(), 0.1)
def loss_of():
    return torch.nn.functional.cross_entropy(model(torch.randn(4, 3, 96, 96)), torch.randint(0, 10, (4,)))
"""

GPT2 = """
import torch
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_embd=64, n_head=2, vocab_size=500, n_positions=64))
opt = torch.optim.AdamW(model.parameters())
def loss_of():
    ids = torch.randint(0, 500, (8, 64))
    return model(input_ids=ids, labels=ids).loss
"""

UNET = """
import torch
from diffusers import UNet2DModel
unet = UNet2DModel(
    sample_size=16, layers_per_block=1, block_out_channels=(16, 32), norm_num_groups=8,
    down_block_types=("DownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "UpBlock2D"),
)
opt = torch.optim.AdamW(unet.parameters())
def loss_of():
    return unet(torch.randn(4, 3, 16, 16), torch.randint(0, 100, (4,))).sample.square().mean()
"""

MODELS = [
    # 64 filters of 3 x 7 x 7; 4 images of 64 x 48 x 48.
    pytest.param(TIMM, "conv1", 4 * 64 * 3 * 49, 4 * 4 * 64 * 48 * 48, "timm/", marks=needs("timm")),
    # 64 x 256 weights and 256 biases; 8 texts of 64 x 256 numbers.
    pytest.param(
        GPT2, "transformer.h.0.mlp.c_fc", 4 * (64 + 1) * 256, 4 * 8 * 64 * 256, "transformers/",
        marks=needs("transformers"),
    ),
    # 16 filters of 3 x 3 x 3 and their biases; 4 images of 16 x 16 x 16.
    pytest.param(
        UNET, "conv_in", 4 * 16 * (27 + 1), 4 * 4 * 16 * 16 * 16, "diffusers/", marks=needs("diffusers")
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "module", "parameters", "activations", "library"), MODELS)
def test_a_module_of_a_library_holds_what_its_shapes_say(
    text: str, module: str, parameters: int, activations: int, library: str, tmp_path: Path
) -> None:
    arm = measure(script(tmp_path / "home", text + STEPS), tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert arm.lost == ()
    adds_up(arm)
    row: Branch = next(row for row in arm.tree if row.path == module)
    assert (row.parameters, row.activations) == (parameters, activations)
    held = [row for row in arm.lines if row.module == module]
    assert held
    assert all(row.library.startswith(library) for row in held if row.kind in ("parameter", "activation"))
    assert sum(row.parameters for row in arm.tree[:-1]) == arm.kinds["parameter"]
