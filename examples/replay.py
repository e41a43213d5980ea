"""Train a small classifier on the CPU. Two lines keep more than they should: ask memlint replay."""

import torch
from torch import nn

BATCH = 512


def batch(generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    inputs = torch.randn(BATCH, 64, generator=generator)
    return inputs, (inputs.sum(dim=1) > 0).long()


def validate(model: nn.Module, generator: torch.Generator) -> float:
    model.eval()
    total = 0.0
    for _ in range(4):
        inputs, labels = batch(generator)
        loss = nn.functional.cross_entropy(model(inputs), labels)
        total += loss.item()
    return total / 4


def main() -> None:
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    curve = []
    for _ in range(20):
        model.train()
        inputs, labels = batch(generator)
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(loss)
    print(f"loss {curve[0]:.3f} to {curve[-1]:.3f}, validation {validate(model, generator):.3f}")


if __name__ == "__main__":
    main()
