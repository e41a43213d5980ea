# LBFGS closure that forgets to clear

import torch

x = torch.linspace(-1, 1, 100)[:, None]
y = x.pow(3)
net = torch.nn.Sequential(torch.nn.Linear(1, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1))
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=10)


def closure():
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()  #! MEM121
    return loss


for it in range(30):
    optimizer.step(closure)
