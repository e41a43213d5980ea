# detached statistics, and numbers

import torch

net = torch.nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
running_mean, avg_loss, smooth = torch.zeros(8), 0.0, None
for x in torch.randn(25, 6, 8):
    y = net(x)
    loss = y.var()
    opt.zero_grad()
    loss.backward()
    opt.step()
    running_mean = 0.9 * running_mean + 0.1 * y.detach().mean(0)
    avg_loss = 0.98 * avg_loss + 0.02 * loss.item()
    smooth = avg_loss if smooth is None else 0.7 * smooth + 0.3 * avg_loss
