# gradients carry no graph: the total norm over the parameters

import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
norm_history = 0.0
for x in torch.randn(20, 16, 4):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    total_norm = 0.0
    for p in net.parameters():
        total_norm += p.grad.norm() ** 2
        norm_history = norm_history + p.grad.data.norm(2)
    opt.step()
print(total_norm ** 0.5, norm_history)
