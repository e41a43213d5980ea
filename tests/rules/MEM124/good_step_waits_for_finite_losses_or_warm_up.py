# the step waits for finite losses or a warm-up, not for a window

import torch

net = torch.nn.Linear(6, 1)
optim = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(4):
    for x in torch.randn(12, 5, 6):
        optim.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        if torch.isfinite(loss) and epoch % 2 == 0:
            optim.step()
