"""One rank of a large decoder in FSDP2, made on the meta device, with checkpoints and bfloat16 compute.

Without options Llama 3.1 405B (126 layers); `--mixtral` for Mixtral 8x7B, whose tokens go to two of eight experts.
Starts under `torchrun`, or with `memlint fit --nproc-per-node 8 --nnodes 16`.
"""

import argparse
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.utils.checkpoint import checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--mixtral", action="store_true")
parser.add_argument("--length", type=int, default=4096)
args = parser.parse_args()
LLAMA = {"layers": 126, "width": 16384, "inner": 53248, "heads": 128, "shared": 8, "words": 128256, "experts": 1}
MIXTRAL = {"layers": 32, "width": 4096, "inner": 14336, "heads": 32, "shared": 8, "words": 32000, "experts": 8}
size = argparse.Namespace(**(MIXTRAL if args.mixtral else LLAMA))
HEAD = size.width // size.heads


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(size.width, size.width, bias=False)
        self.k = nn.Linear(size.width, size.shared * HEAD, bias=False)
        self.v = nn.Linear(size.width, size.shared * HEAD, bias=False)
        self.merge = nn.Linear(size.width, size.width, bias=False)

    def forward(self, x):
        q, k, v = (part(x).unflatten(-1, (-1, HEAD)).transpose(1, 2) for part in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.merge(y.transpose(1, 2).flatten(2))


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(size.width, size.inner, bias=False)
        self.widen = nn.Linear(size.width, size.inner, bias=False)
        self.narrow = nn.Linear(size.inner, size.width, bias=False)

    def forward(self, x):
        return self.narrow(F.silu(self.gate(x)) * self.widen(x))


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(size.width, size.experts, bias=False)
        self.experts = nn.ModuleList(Gated() for _ in range(size.experts))

    def forward(self, x):
        tokens = x.flatten(0, 1)
        weights, chosen = self.router(tokens).softmax(-1).topk(2)
        out = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            rows, place = torch.where(chosen == number)
            out.index_add_(0, rows, expert(tokens[rows]) * weights[rows, place, None])
        return out.view_as(x)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_a, self.norm_b = nn.RMSNorm(size.width), nn.RMSNorm(size.width)
        self.attend, self.inner = Attention(), Experts() if size.experts > 1 else Gated()

    def forward(self, x):
        x = x + self.attend(self.norm_a(x))
        return x + self.inner(self.norm_b(x))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(size.words, size.width)
        self.layers = nn.ModuleList(Layer() for _ in range(size.layers))
        self.norm, self.head = nn.RMSNorm(size.width), nn.Linear(size.width, size.words, bias=False)

    def forward(self, words):
        x = self.words(words)
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return self.head(self.norm(x))


dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
with torch.device("meta"):
    model = Decoder()
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model.layers:
    fully_shard(layer, mp_policy=policy)
fully_shard(model, mp_policy=policy)
model.to_empty(device="cuda")
for module in model.modules():
    if hasattr(module, "reset_parameters"):
        module.reset_parameters()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for step in range(10):
    words = torch.randint(0, size.words, (1, args.length + 1), device="cuda")
    loss = F.cross_entropy(model(words[:, :-1]).float().flatten(0, 1), words[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
dist.destroy_process_group()
