# features with their graph are given to the caller, or the class with a forward is none of torch's networks

import torch

from pipeline import Stage
from torchmetrics import Metric


def embed_all(net, loader):
    return torch.cat([net(x) for x in loader])


class Score(Metric):
    def forward(self, x):
        return x.sum()


def collect(scores, images):
    net = torch.hub.load("owner/repo", "net")
    kept = []
    for image in images:
        image.requires_grad_()
        grad = torch.autograd.grad(net(image).sum(), image)[0]
        kept.append(grad.detach().cpu())
    return kept
