# a list that is cleared every step

import torch

captured = []
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
net[0].register_forward_hook(lambda module, args, output: captured.append(output))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(50):
    captured.clear()
    loss = net(torch.randn(2, 4)).mean() + 0.01 * captured[0].abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
