# the first layers are checkpointed on the batch itself

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 64))
        self.head = nn.Linear(64, 2)

    def forward(self, x):
        x = checkpoint(self.stem, x, use_reentrant=False)
        return self.head(x)


def main():
    net = Net()
    loader = DataLoader(TensorDataset(torch.randn(64, 32), torch.zeros(64).long()), batch_size=8)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


main()
