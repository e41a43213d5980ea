"""An evaluation that keeps the scores of all its batches on the GPU, for the best and the rank of each."""

import torch
from torch import nn

BATCH, BATCHES, CLASSES = 256, 24, 20000

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2048, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, CLASSES))
net = net.cuda().eval()
kept, labels = [], []
with torch.no_grad():
    for _ in range(BATCHES):
        kept.append(net(torch.randn(BATCH, 2048).cuda()))
        labels.append(torch.randint(0, CLASSES, (BATCH,)).cuda())
    scores, wanted = torch.cat(kept), torch.cat(labels)
    chances = scores.softmax(1)
    best = chances.topk(5, dim=1).indices
    ranks = scores.argsort(dim=1, descending=True)
    right = (best == wanted[:, None]).any(1).float().mean()
    print(right.item(), (ranks[:, 0] == wanted).sum().item())
