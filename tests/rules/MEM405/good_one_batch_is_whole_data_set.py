# one batch is the whole data set

import torch
from torch.utils.data import DataLoader, TensorDataset

points = TensorDataset(torch.randn(200, 3), torch.randn(200, 1))
loader = DataLoader(points, batch_size=len(points))
net = torch.nn.Linear(3, 1)
opt = torch.optim.LBFGS(net.parameters())
for it in range(50):
    x, y = next(iter(loader))

    def closure():
        opt.zero_grad()
        loss = (net(x) - y).square().mean()
        loss.backward()
        return loss

    opt.step(closure)
