# a profiler and a detector around the epochs that main starts

import torch
from torch.autograd import detect_anomaly
from torch.profiler import ProfilerActivity, profile


def train_epoch(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()


def main(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    with profile(activities=[ProfilerActivity.CPU], with_stack=True) as prof:  #! MEM125
        for _ in range(3):
            train_epoch(model, loader, optimizer)
    print(prof.key_averages())
    with detect_anomaly():  #! MEM125
        train_epoch(model, loader, optimizer)
