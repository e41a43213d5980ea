# the device is the CPU unless a caller says otherwise, and no line speaks of another

import copy
from dataclasses import dataclass

import torch


@dataclass
class Config:
    epochs: int = 10
    device: str = "cpu"


def train(model, x, y, cfg: Config):
    model = model.to(cfg.device)
    optimizer = torch.optim.Adam(model.parameters())
    best, best_state = float("inf"), None
    for epoch in range(cfg.epochs):
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        if loss.item() < best:
            best, best_state = loss.item(), copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    return model
