import torch
import torch.nn as nn


def train(model, opt, stream, k=32):
    h = None
    window = 0
    for t, (x, y) in enumerate(stream):
        out, h = model(x, h)
        window = window + nn.functional.mse_loss(out, y)
        if (t + 1) % k == 0:
            opt.zero_grad()
            window.backward()
            opt.step()
            print(t, window.item() / k)
            window = 0
            h = h.detach()
