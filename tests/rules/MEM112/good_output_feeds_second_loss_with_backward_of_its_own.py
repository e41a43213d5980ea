# the output feeds a second loss with a backward of its own: the second backward needs it

import torch
import torch.nn.functional as F

net = torch.nn.Linear(16, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    y = torch.randint(0, 8, (4,))
    out = net(torch.randn(4, 16))
    first = F.cross_entropy(out, y)
    opt.zero_grad()
    first.backward(retain_graph=True)
    second = F.cross_entropy(out.flip(0), y)
    second.backward()
    opt.step()
