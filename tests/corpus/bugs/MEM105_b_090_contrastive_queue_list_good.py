import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossBatchMemory:
    def __init__(self, size, dim):
        self.size, self.feats, self.labels = size, [], []

    def enqueue(self, f, y):
        self.feats.append(f)
        self.labels.append(y)
        if len(self.feats) > self.size:
            self.feats.pop(0)
            self.labels.pop(0)

    def get(self):
        return torch.cat(self.feats).detach(), torch.cat(self.labels)


def contrastive(f, y, mf, my, margin=0.5):
    sim = f @ mf.t()
    same = y[:, None] == my[None]
    pos = (1 - sim)[same & (sim < 1 - 1e-5)].sum()
    neg = F.relu(sim - margin)[~same].sum()
    return (pos + neg) / f.size(0)


def train(net, loader, iters, start=1000):
    opt = torch.optim.Adam(net.parameters(), lr=3e-4, weight_decay=5e-4)
    xbm = CrossBatchMemory(500, 128)
    it = 0
    while it < iters:
        for x, y in loader:
            net.train()
            f = F.normalize(net(x.cuda()))
            y = y.cuda()
            loss = contrastive(f, y, f, y)
            if it > start:
                mf, my = xbm.get()
                loss = loss + contrastive(f, y, mf, my)
            opt.zero_grad()
            loss.backward()
            opt.step()
            xbm.enqueue(f.detach(), y)
            it += 1
            if it % 100 == 0:
                print(it, loss.item())
            if it >= iters:
                break
