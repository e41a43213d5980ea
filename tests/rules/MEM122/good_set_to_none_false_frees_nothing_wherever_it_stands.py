# set_to_none=False frees nothing wherever it stands

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    loss = net(torch.randn(3, 4)).sum()
    opt.zero_grad(set_to_none=False)
    loss.backward()
    opt.step()
