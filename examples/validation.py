"""Train a small image classifier on the CPU. Its validation takes many times the memory of its training."""

import torch
from torch import nn

WIDTH, CLASSES = 192, 10


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return tokens + self.layers(tokens)


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, kernel_size=16, stride=16)
        self.blocks = nn.Sequential(*(Block() for _ in range(8)))
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        return self.head(self.blocks(tokens).mean(dim=1))


def batch(size: int) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.randn(size, 3, 224, 224), torch.randint(CLASSES, (size,))


def train(model: nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    model.train()
    for _ in range(steps):
        images, labels = batch(16)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()


def validate(model: nn.Module, batches: int) -> float:
    model.eval()
    correct = 0
    for _ in range(batches):
        images, labels = batch(256)
        correct += (model(images).argmax(dim=1) == labels).sum().item()
    return correct / (256 * batches)


def main() -> None:
    torch.manual_seed(0)
    model = Classifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(2):
        train(model, optimizer, steps=4)
        print(f"epoch {epoch}: accuracy {validate(model, batches=2):.1%}")


if __name__ == "__main__":
    main()
