# an accumulation window clears after its step

import torch

net = torch.nn.Linear(10, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for i, x in enumerate(torch.randn(8, 4, 10)):
        net(x).sum().backward()
        if i % 4 == 3:
            opt.step()
            opt.zero_grad()
    net.eval()
    with torch.no_grad():
        for batch in torch.randn(2, 64, 10):
            print(net(batch).sum().item())
    net.train()
