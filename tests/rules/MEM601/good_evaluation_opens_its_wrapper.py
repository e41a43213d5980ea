# only an evaluation wraps the model, and takes it out again

import torch


def evaluate(model, loader):
    wrapped = torch.nn.DataParallel(model, device_ids=[0])
    wrapped.eval()
    with torch.no_grad():
        total = sum(wrapped(x).sum().item() for x, _ in loader)
    return total, wrapped.module


def train(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return evaluate(model, loader)
