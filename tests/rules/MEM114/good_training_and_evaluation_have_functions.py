# training and evaluation have functions of their own, and the step clears what it used

import torch


def train(net, opt, loader):
    for x in loader:
        out = net(x)
        out.pow(2).mean().backward()
        opt.step()
        opt.zero_grad()


def evaluate(net, loader):
    with torch.no_grad():
        for batch in loader:
            print(net(batch).sum().item())


net = torch.nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    train(net, opt, torch.randn(4, 2, 8))
    evaluate(net, torch.randn(2, 200, 8))
