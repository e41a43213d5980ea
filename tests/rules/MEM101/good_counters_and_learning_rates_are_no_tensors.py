# counters and learning rates are no tensors

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters())
global_step, tokens, lr_sum = 0, 0, 0.0
for x in torch.randn(50, 8, 4):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    global_step += 1
    tokens += x.numel()
    tokens += x.shape[0] * x.size(1)
    lr_sum += opt.param_groups[0]["lr"]
