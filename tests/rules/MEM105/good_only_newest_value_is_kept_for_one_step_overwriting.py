# only the newest value is kept, for one step: overwriting does not grow

import torch


class Board:
    def show(self, name, value):
        print(f"{name}: {value:.3f}")


board = Board()
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    loss = net(torch.randn(3, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    board.show("loss", loss)
