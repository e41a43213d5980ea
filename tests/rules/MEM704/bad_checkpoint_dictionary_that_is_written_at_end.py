# checkpoint dictionary that is written at the end, training in a function

import torch


def train(net, loader, valid, optimizer, epochs):
    lowest, checkpoint = float("inf"), {}
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        error = valid(net)
        if error < lowest:
            lowest = error
            checkpoint = {"epoch": epoch, "net": dict(net.state_dict())}  #! MEM704 error
    torch.save(checkpoint, "best.pt")


def main():
    net = torch.nn.Linear(3, 1)
    data = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(10)]
    train(net, data, lambda n: n.weight.abs().sum().item(), torch.optim.SGD(net.parameters(), lr=0.1), 5)


main()
