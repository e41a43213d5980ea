# one step of many, after an error, or in a function for debugging

import torch


def train(model, loader, optimizer):
    for step, x in enumerate(loader):
        optimizer.zero_grad()
        if step == 100:
            with torch.autograd.detect_anomaly():
                model(x).mean().backward()
        else:
            model(x).mean().backward()
        optimizer.step()


def debug_nan(model, x):
    with torch.autograd.set_detect_anomaly(True):
        model(x).mean().backward()


def retry(model, x):
    try:
        model(x).mean().backward()
    except RuntimeError:
        torch.autograd.set_detect_anomaly(True)
        model(x).mean().backward()
