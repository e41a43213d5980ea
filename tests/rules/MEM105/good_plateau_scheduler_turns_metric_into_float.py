# a plateau scheduler turns the metric into a float

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 1)

    def forward(self, x):
        return self.l(x)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)
for x in torch.randn(20, 8, 4):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    plateau.step(loss)
