"""A decoder with grouped heads, rotary places and a gated layer, bfloat16 weights.

`--optimizer` fused, foreach, loop, adafactor or sgd; `--lora` trains low-rank additions under a checkpoint.
"""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="fused")
parser.add_argument("--lora", action="store_true")
parser.add_argument("--layers", type=int, default=8)
args = parser.parse_args()
WORDS, WIDTH, HEADS, SHARED, INNER, LENGTH, BATCH = 32000, 2048, 16, 4, 5632, 1024, 2
SIZE = WIDTH // HEADS


class Low(nn.Module):
    def __init__(self, before, after, rank=16):
        super().__init__()
        self.base = nn.Linear(before, after, bias=False).requires_grad_(False)
        self.a, self.b = nn.Linear(before, rank, bias=False), nn.Linear(rank, after, bias=False)

    def forward(self, x):
        return self.base(x) + self.b(self.a(x))


def linear(before, after):
    return Low(before, after) if args.lora else nn.Linear(before, after, bias=False)


def turned(x, cos, sin):
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_a, self.norm_b = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.q, self.k, self.v = linear(WIDTH, WIDTH), linear(WIDTH, SHARED * SIZE), linear(WIDTH, SHARED * SIZE)
        self.o = linear(WIDTH, WIDTH)
        self.gate, self.up, self.down = linear(WIDTH, INNER), linear(WIDTH, INNER), linear(INNER, WIDTH)

    def forward(self, x, cos, sin):
        y = self.norm_a(x)
        q, k, v = (
            part(y).view(*x.shape[:2], -1, SIZE).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        q, k = turned(q, cos, sin), turned(k, cos, sin)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + self.o(y.transpose(1, 2).reshape(x.shape))
        y = self.norm_b(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(args.layers))
        self.norm, self.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)
        places = torch.outer(torch.arange(LENGTH), 10000 ** -(torch.arange(0, SIZE, 2) / SIZE)).repeat(1, 2)
        self.register_buffer("cos", places.cos())
        self.register_buffer("sin", places.sin())

    def forward(self, words):
        x = self.words(words)
        for layer in self.layers:
            if args.lora:
                x = checkpoint(layer, x, self.cos, self.sin, use_reentrant=False)
            else:
                x = layer(x, self.cos, self.sin)
        scores = self.head(self.norm(x)).float()
        return F.cross_entropy(scores[:, :-1].reshape(-1, WORDS), words[:, 1:].reshape(-1))


torch.manual_seed(0)
model = Decoder().to("cuda", dtype=torch.bfloat16)
if args.lora:
    for part in (model.words, model.head):
        part.requires_grad_(False)
trained = [weight for weight in model.parameters() if weight.requires_grad]
optimizer = {
    "fused": lambda: torch.optim.AdamW(trained, 1e-4, fused=True),
    "foreach": lambda: torch.optim.AdamW(trained, 1e-4),
    "loop": lambda: torch.optim.AdamW(trained, 1e-4, foreach=False),
    "adafactor": lambda: torch.optim.Adafactor(trained, 1e-4),
    "sgd": lambda: torch.optim.SGD(trained, 1e-4),
}[args.optimizer]()
for _ in range(4):
    loss = model(torch.randint(0, WORDS, (BATCH, LENGTH), device="cuda"))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(loss.item())
