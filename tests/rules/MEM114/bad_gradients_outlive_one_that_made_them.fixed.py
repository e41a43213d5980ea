# two functions called from main(): the gradients outlive the one that made them

import torch
from torch import nn


def train(model, loader, optimizer):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum(nn.functional.mse_loss(model(x), y).item() for x, y in loader)


def main():
    model = nn.Linear(6, 100_000)
    optimizer = torch.optim.Adam(model.parameters())
    train_loader = [(torch.randn(4, 6), torch.randn(4, 1))] * 3
    val_loader = [(torch.randn(400, 6), torch.randn(400, 1))] * 3
    for epoch in range(2):
        train(model, train_loader, optimizer)
        print(evaluate(model, val_loader))


main()
