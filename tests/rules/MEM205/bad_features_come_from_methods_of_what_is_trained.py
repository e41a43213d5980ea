# Gradients go through both heads to the network, whose methods and helpers make their inputs.

import torch
import torch.nn.functional as F
from torch import nn

from networks import Net, encode

net = Net().cuda()
head = nn.Linear(768, 2).cuda()  #! MEM205 warning
judge = nn.Linear(768, 1).cuda()  #! MEM205 warning
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)


def fit(loader):
    for x, y in loader:
        optimizer.zero_grad()
        features, mask = net.encode(x.cuda())
        logits = head(features[mask].float())
        score = judge(encode(net, x.cuda()))
        loss = F.cross_entropy(logits, y.cuda()) - score.mean()
        loss.backward()
        optimizer.step()
