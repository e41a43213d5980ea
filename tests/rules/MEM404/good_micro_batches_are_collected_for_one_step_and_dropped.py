# micro-batches are collected for one step and dropped

import torch


def train(model, loader, opt, accumulate=8):
    group = []
    for batch in loader:
        group.append(batch)
        if len(group) == accumulate:
            for x, y in group:
                (torch.nn.functional.mse_loss(model(x), y) / accumulate).backward()
            opt.step()
            opt.zero_grad()
            group = []
