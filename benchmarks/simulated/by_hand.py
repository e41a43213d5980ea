"""Suggested changes that memlint only describes, as somebody writes them into the scripts of `changes`.

Optimizers from other packages stand here with their states alone: what they lay out on the GPU.
"""

from __future__ import annotations

CHECKPOINT = "torch.utils.checkpoint.checkpoint"

EIGHT_BIT = '''
class EightBit(torch.optim.Optimizer):
    """The states of bitsandbytes 0.50: a byte a number and a float32 for 256 of them, float32 below 4,096."""

    def __init__(self, params, lr=1e-3, **options):
        super().__init__(params, {"lr": lr, "betas": (0.9, 0.999)})
        self.codes = torch.zeros(256, device="cuda"), torch.zeros(256, device="cuda")

    @torch.no_grad()
    def step(self):
        for p in (p for group in self.param_groups for p in group["params"] if p.grad is not None):
            if not self.state[p]:
                small = p.numel() < 4096
                for name in "ab":
                    dtype = torch.float32 if small else torch.uint8
                    self.state[p][name] = torch.zeros_like(p, dtype=dtype)
                    if not small:
                        self.state[p][f"{name}max"] = torch.zeros(-(-p.numel() // 256), device=p.device)
'''
PAGED = '''
class Paged(torch.optim.Optimizer):
    """The states of bitsandbytes 0.50 that are on the GPU where the others are in managed memory."""

    def __init__(self, params, lr=1e-3, **options):
        super().__init__(params, {"lr": lr, "betas": (0.9, 0.999)})

    @torch.no_grad()
    def step(self):
        for p in (p for group in self.param_groups for p in group["params"] if p.grad is not None):
            if not self.state[p] and p.numel() < 100_000:
                self.state[p].update((name, torch.zeros_like(p, dtype=torch.float32)) for name in "ab")
'''
PARTS = f"""    net = DeepLab().cuda()

    def twice(forward):
        def run(x):
            return {CHECKPOINT}(forward, x, use_reentrant=False) if net.training else forward(x)

        return run

    for part in (net.stem[0], *net.aspp, net.project[0], net.aux[0]):
        part.forward = twice(part.forward)
"""
WITHIN = '''
def steps_within(model, make):
    """Each parameter steps when its gradient is there, and drops it."""
    own = {p: make([p]) for p in model.parameters() if p.requires_grad}

    def hook(p):
        own[p].step()
        p.grad = None

    for p in own:
        p.register_post_accumulate_grad_hook(hook)
'''


def checkpointed(*, arguments: str, first: str) -> tuple[str, str]:
    """A forward() that runs again in backward: its arguments, and the line that it begins with."""
    before = f"    def forward(self, {arguments}):\n{first}"
    again = f"{CHECKPOINT}(self.inner, {arguments}, use_reentrant=False)"
    head = f"    def forward(self, {arguments}):\n        if self.training and torch.is_grad_enabled():\n"
    rest = f"            return {again}\n        return self.inner({arguments})\n\n"
    return before, f"{head}{rest}    def inner(self, {arguments}):\n{first}"


def optimizer(call: str, name: str, text: str) -> tuple[tuple[str, str], ...]:
    """Another optimizer in the place of one that is made by a call, with the class before the script's."""
    return (call, f"{name}("), ("\n\n\nclass ", f"\n\n{text}\n\nclass ")


EDITS: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("segmentation", "activation checkpointing"): (
        checkpointed(arguments="x", first="        return self.relu(self.body(x) + self.short(x))\n"),
        ("    net = DeepLab().cuda()\n", PARTS),
    ),
    ("triplet", "activation checkpointing"): (
        checkpointed(
            arguments="x", first="        x = x + self.token(self.n1(x).transpose(1, 2)).transpose(1, 2)\n"
        ),
    ),
    ("separation", "activation checkpointing"): (
        checkpointed(arguments="x", first="        y = self.net(x)\n"),
    ),
    ("triplet", "8-bit optimizer states"): optimizer("torch.optim.AdamW(", "EightBit", EIGHT_BIT),
    ("triplet", "paged optimizer states"): optimizer("torch.optim.AdamW(", "Paged", PAGED),
    ("graph-attention", "8-bit optimizer states"): optimizer("torch.optim.Adam(", "EightBit", EIGHT_BIT),
    ("graph-attention", "paged optimizer states"): optimizer("torch.optim.Adam(", "Paged", PAGED),
    ("lora-by-hand", "8-bit optimizer states"): optimizer("torch.optim.AdamW(", "EightBit", EIGHT_BIT),
    ("lora-by-hand", "paged optimizer states"): optimizer("torch.optim.AdamW(", "Paged", PAGED),
    ("separation", "8-bit optimizer states"): optimizer("torch.optim.Adam(", "EightBit", EIGHT_BIT),
    ("separation", "paged optimizer states"): optimizer("torch.optim.Adam(", "Paged", PAGED),
    ("triplet", "step in backward"): (
        ("            opt.zero_grad()\n", ""),
        ("            opt.step()\n", ""),
        ("lr=1e-4)\n", "lr=1e-4)\n    steps_within(net, lambda ps: torch.optim.AdamW(ps, lr=1e-4))\n"),
        ("\n\n\ndef main", f"\n\n{WITHIN}\n\ndef main"),
    ),
}  # fmt: skip
"""By script and change, each text and what stands in its place; its first occurrence is replaced."""


def changed(case: str, change: str, code: str) -> str | None:
    """Code with a change that is only described written into it; None where nobody has done that.

    Raises:
        RuntimeError: a text that is to be replaced is not there.
    """
    edits = EDITS.get((case, change))
    for old, new in edits or ():
        if old not in code:
            raise RuntimeError(f"{change}: the script has no {old.strip()!r}")
        code = code.replace(old, new, 1)
    return code if edits is not None else None
