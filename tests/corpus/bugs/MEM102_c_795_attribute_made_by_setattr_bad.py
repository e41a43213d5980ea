import torch
from torch import nn


class Book:
    pass


def main():
    net = nn.Linear(4, 2)
    opt = torch.optim.SGD(net.parameters(), 0.05)
    book = Book()
    for i in range(300):
        loss = net(torch.randn(8, 4)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        setattr(book, f"loss_{i}", loss)  #! MEM102
    print(len(vars(book)))


main()
