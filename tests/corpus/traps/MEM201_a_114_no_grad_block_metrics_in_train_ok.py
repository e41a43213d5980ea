import torch
from torch import nn


def train(model, loader, opt):
    tot_psnr, tot, seen = 0, 0, 0
    keep = []
    for x, y in loader:
        out = model(x)
        loss = nn.functional.l1_loss(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            mse = ((out - y) ** 2).mean()
            tot_psnr += -10 * torch.log10(mse)
            tot += model(x).mean()
            keep.append(mse)
        seen += 1
    return tot_psnr / seen, tot, keep
