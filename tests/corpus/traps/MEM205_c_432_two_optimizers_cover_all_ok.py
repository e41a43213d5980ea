import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(10, 20)
        self.head = nn.Linear(20, 2)

    def forward(self, x):
        return self.head(self.backbone(x).relu())


def main():
    net = Net()
    slow = torch.optim.SGD(net.backbone.parameters(), lr=1e-4)
    fast = torch.optim.SGD(net.head.parameters(), lr=1e-2)
    for x, y in [(torch.randn(4, 10), torch.randint(0, 2, (4,)))] * 8:
        slow.zero_grad()
        fast.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        slow.step()
        fast.step()


main()
