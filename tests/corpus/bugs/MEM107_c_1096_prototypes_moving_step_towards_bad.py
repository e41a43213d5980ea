import torch
import torch.nn as nn
import torch.nn.functional as F


class ProtoHead(nn.Module):
    def __init__(self, classes, dim, m=0.01):
        super().__init__()
        self.register_buffer("prototypes", torch.randn(classes, dim))
        self.m = m

    def update(self, z, y):
        for c in y.unique():
            mean = z[y == c].mean(0)
            self.prototypes[c] = self.prototypes[c] + self.m * (mean - self.prototypes[c])  #! MEM107

    def forward(self, z):
        return -torch.cdist(z, self.prototypes.detach())


enc, head = nn.Linear(784, 64), ProtoHead(10, 64)
opt = torch.optim.SGD(enc.parameters(), 0.1)
for x, y in torch.utils.data.DataLoader(torch.load("mnist.pt"), 128):
    z = enc(x.flatten(1))
    loss = F.cross_entropy(head(z), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    head.update(z, y)
