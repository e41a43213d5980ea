# a class that extends a layer without weights may have some of its own

from torch import nn


class Project(nn.Flatten):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(super().forward(x))


def features(loader):
    net = Project(64).cuda()
    net.eval()
    total = 0.0
    for x in loader:
        total += net(x.cuda()).abs().mean().item()  #! MEM201 error
    return total
