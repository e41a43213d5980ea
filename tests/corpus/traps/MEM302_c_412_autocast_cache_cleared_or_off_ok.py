import torch
from torch import nn


def finetune(net, batches):
    opt = torch.optim.Adam(net.parameters())
    with torch.autocast("cuda", dtype=torch.bfloat16, cache_enabled=False):
        for x in batches:
            opt.zero_grad()
            net(x).float().mean().backward()
            opt.step()


def probe(net, batches):
    """Only the evaluation of a trained network is under autocast."""
    net.eval()
    hits = 0
    with torch.no_grad(), torch.autocast("cuda"):
        for x in batches:
            hits += int((net(x).argmax(1) == 0).sum())
    return hits


net = nn.Linear(8, 4).cuda()
data = torch.randn(6, 3, 8, device="cuda")
finetune(net, data)
print(probe(net, data))
