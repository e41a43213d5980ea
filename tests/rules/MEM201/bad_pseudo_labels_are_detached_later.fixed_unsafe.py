# pseudo labels from the network in training: the graph of its view is held until backward

import torch
import torch.nn.functional as F
from data import labelled, unlabelled
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.03)
for (x, y), (weak, strong) in zip(labelled, unlabelled):
    with torch.no_grad():
        seen = model(weak.cuda())
    sure, labels = torch.softmax(seen.detach(), dim=-1).max(dim=-1)
    each = F.cross_entropy(model(strong.cuda()), labels, reduction="none")
    loss = F.cross_entropy(model(x.cuda()), y.cuda()) + (each * (sure > 0.95)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
