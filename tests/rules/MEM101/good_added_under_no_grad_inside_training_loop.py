# added under no_grad inside the training loop

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
running = torch.zeros(())
for x in torch.randn(30, 8, 4):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        running += loss
print(running / 30)
