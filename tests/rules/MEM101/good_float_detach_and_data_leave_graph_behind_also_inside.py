# float(), detach() and .data leave the graph behind, also inside a longer expression

import torch
import torch.nn.functional as F

net = torch.nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters())
a = b = c = d = 0.0
for _ in range(20):
    loss = F.cross_entropy(net(torch.randn(8, 4)), torch.zeros(8, dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    a += float(loss)
    b += loss.detach()
    c += loss.data * 0.5
    d = 0.9 * d + 0.1 * loss.detach().cpu()
print(a, b, c, d)
