# cleared between the training loop and the evaluation

import torch

net = torch.nn.Linear(10, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x in torch.randn(5, 4, 10):
        opt.zero_grad()
        net(x).sum().backward()
        opt.step()
    opt.zero_grad()
    net.eval()
    with torch.no_grad():
        for batch in torch.randn(2, 64, 10):
            print(net(batch).sum().item())
    net.train()
