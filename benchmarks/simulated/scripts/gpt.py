"""A decoder without dropout in single precision, trained with AdamW and clipped gradients."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm_a, self.norm_b = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attend, self.merge = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.attend(self.norm_a(x)).split(width, dim=2)
        q, k, v = (p.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for p in parts)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.merge(seen.transpose(1, 2).reshape(batch, length, width))
        return x + self.narrow(F.gelu(self.widen(self.norm_b(x))))


class Decoder(nn.Module):
    def __init__(self, vocabulary, width, layers, heads, length):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, words, following):
        x = self.words(words) + self.places(torch.arange(words.shape[1], device=words.device))
        for layer in self.layers:
            x = layer(x)
        scores = self.head(self.norm(x))
        return F.cross_entropy(scores.view(-1, scores.size(-1)), following.view(-1))


def main():
    parser = argparse.ArgumentParser()
    for name, default in (("batch", 2), ("length", 128), ("width", 512), ("layers", 6), ("words", 16384)):
        parser.add_argument(f"--{name}", type=int, default=default)
    a = parser.parse_args()
    torch.manual_seed(0)
    model = Decoder(a.words, a.width, a.layers, 8, a.length).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    best = float("inf")
    for step in range(4):
        words = torch.randint(0, a.words, (a.batch, a.length), device="cuda")
        following = torch.randint(0, a.words, (a.batch, a.length), device="cuda")
        loss = model(words, following)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        best = min(best, loss.item())
        print(f"step {step} best {best:.4f}")


main()
