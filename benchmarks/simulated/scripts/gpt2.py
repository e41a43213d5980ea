"""A GPT-2 of 124 million parameters: bfloat16 autocast, two micro-batches; `--checkpoint` recomputes layers."""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

WORDS, WIDTH, LAYERS, HEADS, LENGTH, BATCH = 50257, 768, 12, 12, 1024, 4
RECOMPUTE = "--checkpoint" in sys.argv[1:]


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_a, self.norm_b = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attend, self.merge = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.widen, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.drop_a, self.drop_b = nn.Dropout(0.1), nn.Dropout(0.1)

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (
            part.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in self.attend(self.norm_a(x)).split(WIDTH, dim=2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=0.1)
        x = x + self.drop_a(self.merge(y.transpose(1, 2).reshape(batch, length, WIDTH)))
        y = F.gelu(self.widen(self.norm_b(x)), approximate="tanh")
        return x + self.drop_b(self.narrow(y))


class GPT2(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.drop = nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, WORDS, bias=False)
        self.head.weight = self.words.weight

    def forward(self, words):
        x = self.drop(self.words(words) + self.places(torch.arange(words.shape[1], device=words.device)))
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if RECOMPUTE else layer(x)
        scores = self.head(self.norm(x))[:, :-1].float()
        return F.cross_entropy(scores.reshape(-1, WORDS), words[:, 1:].reshape(-1))


torch.manual_seed(0)
model = GPT2().to("cuda")
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
for _ in range(2):
    for _ in range(2):
        words = torch.randint(0, WORDS, (BATCH, LENGTH)).to("cuda", non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(words) / 2
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    print(loss.item())
