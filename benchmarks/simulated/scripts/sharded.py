"""One rank of a decoder: `--how ddp` in DistributedDataParallel, `--how fsdp` in fully_shard, both with NCCL."""

import argparse
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser()
parser.add_argument("--how", default="ddp", choices=["ddp", "fsdp"])
args = parser.parse_args()
for name, value in (("RANK", "0"), ("LOCAL_RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1")):
    os.environ.setdefault(name, value)
os.environ.setdefault("MASTER_PORT", str(29500 + os.getpid() % 2000))
dist.init_process_group("nccl")
torch.cuda.set_device(0)
WORDS, WIDTH, LAYERS, LENGTH, BATCH = 32000, 1024, 8, 512, 8


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_a, self.norm_b = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attend, self.merge = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        q, k, v = (
            part.unflatten(-1, (16, -1)).transpose(1, 2) for part in self.attend(self.norm_a(x)).chunk(3, -1)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.merge(y.transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.widen(self.norm_b(x))))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.layers = nn.Embedding(WORDS, WIDTH), nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, words):
        x = self.words(words)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


torch.manual_seed(0)
model = Decoder().cuda()
if args.how == "ddp":
    model = DistributedDataParallel(model, device_ids=[0])
else:
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for layer in model.layers:
        fully_shard(layer, mp_policy=policy)
    fully_shard(model, mp_policy=policy)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for _ in range(4):
    words = torch.randint(0, WORDS, (BATCH, LENGTH), device="cuda")
    loss = F.cross_entropy(model(words).float().flatten(0, 1), words.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
dist.destroy_process_group()
