# a class of another package freezes all of its weights: nothing is recorded

import torch
from torch import nn
from zoo import Backbone, load_encoder


def features(path, loader):
    encoder = load_encoder(path).cuda()
    encoder.eval()
    encoder.freeze()
    rows = []
    for x, _ in loader:
        rows.append(encoder(x.cuda()).cpu().numpy())
    return rows


net = Backbone()
net.freeze_parameters()
net.cuda()
head = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.load("data.pt", map_location="cpu"), batch_size=8)
for x, y in loader:
    print(net(x.cuda()).mean().item())
for x, y in loader:
    loss = nn.functional.cross_entropy(head(net(x.cuda())), y.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
