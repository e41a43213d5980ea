import torch
from torch import nn


def main():
    torch.manual_seed(0)
    net = nn.Linear(16, 4)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    reports = []
    for step in range(400):
        x, y = torch.randn(8, 16), torch.randint(4, (8,))
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        reports.append(lambda step=step, loss=loss.item(): print(step, loss))
    for report in reports[::100]:
        report()


main()
