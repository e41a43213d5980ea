import torch
from torch import nn
from torchvision.models import vit_b_16


def features(backbone, loader):
    backbone.eval()
    for p in backbone.parameters():
        p.requires_grad = False
    xs, ys = [], []
    for x, y in loader:
        xs.append(backbone(x.cuda()).cpu())
        ys.append(y)
    return torch.cat(xs), torch.cat(ys)


def probe(xs, ys, epochs=100):
    lin = nn.Linear(xs.size(1), int(ys.max()) + 1)
    opt = torch.optim.SGD(lin.parameters(), lr=0.1)
    for _ in range(epochs):
        loss = nn.functional.cross_entropy(lin(xs), ys)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return lin


def main(loader):
    net = vit_b_16(weights="DEFAULT").cuda()
    net.heads = nn.Identity()
    probe(*features(net, loader))
