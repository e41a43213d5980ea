import numpy as np
import torch
import torch.nn.functional as F

from models.resunet import ResUNet


def dice(p, t, eps=1e-5):
    inter = (p * t).sum()
    return (2 * inter + eps) / (p.sum() + t.sum() + eps)


@torch.no_grad()
def validate(net: ResUNet, loader, device):
    net.eval()
    scores = []
    for vol, seg in loader:
        out = net(vol.to(device))
        probs = out.softmax(1)
        onehot = F.one_hot(seg.to(device), 4).permute(0, 4, 1, 2, 3)
        scores.append(torch.stack([dice(probs[:, c], onehot[:, c]) for c in range(1, 4)]).cpu())
    net.train()
    return torch.stack(scores).mean(0)
