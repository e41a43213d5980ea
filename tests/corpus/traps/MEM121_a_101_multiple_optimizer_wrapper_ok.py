import torch
from torch import nn


class MultipleOptimizer:
    def __init__(self, *op):
        self.optimizers = op

    def zero_grad(self):
        for op in self.optimizers:
            op.zero_grad()

    def step(self):
        for op in self.optimizers:
            op.step()


class Model:
    def __init__(self, net, emb):
        self.net, self.emb = net, emb
        self.opt = MultipleOptimizer(torch.optim.Adam(net.parameters()), torch.optim.SparseAdam(emb.parameters()))
        self.updates = 0
        self.train_loss = 0.0

    def update(self, batch):
        self.net.train()
        loss = nn.functional.cross_entropy(self.net(self.emb(batch[0])), batch[1])
        self.train_loss += loss.item()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1


def main(model, batches):
    for b in batches:
        model.update(b)
    print(model.train_loss / model.updates)
