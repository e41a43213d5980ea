"""Fine-tune a vision transformer of timm as torchao's benchmark of low-bit optimizers does.

`--optimizer 8bit` keeps the states as bitsandbytes lays them out: a byte for each element and a scale of four
bytes for each block, where a tensor has 4096 elements or more.
"""

import argparse

import torch
import torchvision_names  # noqa: F401

import timm  # isort: skip

parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("--batch", type=int, required=True)
parser.add_argument("--amp", action="store_true", help="bf16 by autocast")
parser.add_argument("--bf16", action="store_true", help="all in bf16")
parser.add_argument("--checkpoint", action="store_true")
parser.add_argument("--size", type=int, default=0, help="side of the images, where the model has another")
parser.add_argument("--optimizer", choices=("plain", "fused", "8bit"), default="fused")
parser.add_argument("--block", type=int, default=256, help="elements that share a scale")
options = parser.parse_args()


class EightBit(torch.optim.Optimizer):
    """AdamW with 8-bit states: what is allocated, not what is computed."""

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                if not state:
                    self._begin(parameter, state)
                parameter.data.add_(parameter.grad, alpha=-group["lr"])

    def _begin(self, parameter, state):
        small = parameter.numel() < 4096
        for name in ("state1", "state2"):
            state[name] = torch.zeros_like(parameter, dtype=torch.float32 if small else torch.uint8)
            if not small:
                blocks = -(-parameter.numel() // options.block)
                state[name + "_scale"] = torch.zeros(blocks, device=parameter.device)


more = {"img_size": options.size} if options.size else {}
model = timm.create_model(options.model, num_classes=45, **more)
if options.checkpoint:
    model.set_grad_checkpointing()
if options.bf16:
    model.bfloat16()
model.cuda()
model.train()
if options.optimizer != "8bit":
    fused = options.optimizer == "fused" or None
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0, fused=fused)
else:
    optimizer = EightBit(model.parameters(), {"lr": 1e-4})
side = options.size or 224
for _ in range(3):
    batch = {"image": torch.rand(options.batch, 3, side, side), "label": torch.randint(45, (options.batch,))}
    if options.bf16:
        batch["image"] = batch["image"].bfloat16()
    with torch.autocast("cuda", torch.bfloat16, enabled=options.amp):
        loss = torch.nn.functional.cross_entropy(model(batch["image"].cuda()), batch["label"].cuda())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
