# Contrastive learning with a queue of earlier keys; the keys come from the encoder that is trained.
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

encoder = nn.Sequential(nn.Linear(64, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 32))
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.03, momentum=0.9)
queue = deque(maxlen=256)


def info_nce(q, k, negatives, t=0.07):
    positive = (q * k).sum(1, keepdim=True)
    logits = torch.cat([positive, q @ negatives.t()], 1) if len(negatives) else positive
    return F.cross_entropy(logits / t, torch.zeros(len(q), dtype=torch.long))


for step in range(3000):
    x = torch.randn(128, 64)
    q = F.normalize(encoder(x + 0.1 * torch.randn_like(x)), dim=1)
    k = F.normalize(encoder(x + 0.1 * torch.randn_like(x)), dim=1)
    negatives = torch.cat([old.detach() for old in queue]) if queue else q.new_zeros(0, 32)
    loss = info_nce(q, k, negatives)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    queue.append(k)  #! MEM102
    if step % 500 == 0:
        print(step, loss.item(), len(queue))
