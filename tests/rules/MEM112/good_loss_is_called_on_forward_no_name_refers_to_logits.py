# the loss is called on the forward: no name refers to the logits when backward runs

import torch
import torch.nn.functional as F

net = torch.nn.Linear(32, 50000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    x, y = torch.randn(4, 32), torch.randint(0, 50000, (4,))
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
