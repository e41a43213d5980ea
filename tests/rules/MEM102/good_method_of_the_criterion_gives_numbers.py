# methods of the criterion that give numbers, or get tensors without a graph

import torch
from book import flatten_dict


def fit(width, judge, loader):
    net = torch.nn.Linear(width, 2)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    seen = []
    for scans, organs in loader:
        out = net(scans)
        loss = judge(out, organs)
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.append(judge.accuracy(out, organs))
        seen.append(judge.overlap(out.detach(), organs))
        seen.append(judge.overlap(out, organs).item())
        seen.append(flatten_dict({"loss": {"push": loss.item()}}))
