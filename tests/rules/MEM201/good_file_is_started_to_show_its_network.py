# a file that defines a network shows at its end what that does with made-up data

import torch
from torch import nn


class Adapter(nn.Module):
    def __init__(self, width=512, kind="plain"):
        super().__init__()
        self.down = nn.Linear(width, 8)
        self.up = nn.Linear(8, width)

    def forward(self, x):
        return x + self.up(self.down(x))

    def merge(self):
        return self


if __name__ == "__main__":
    for kind in ("plain", "scaled"):
        model = Adapter(kind=kind).eval()
        inputs = {"x": torch.randn(2, 32, 512)}
        output = model(**inputs)
        print(f"mean: {output.mean().item():.4f}")
        model.merge()
        merged = model(torch.randn(2, 32, 512))
        print(f"difference: {(output - merged).abs().max().item():.2e}")
