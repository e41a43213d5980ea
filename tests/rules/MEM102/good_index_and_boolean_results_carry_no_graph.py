# index and boolean results carry no graph

import torch

net = torch.nn.Linear(10, 4)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
y_pred, flags, top = [], [], []
for x, y in [(torch.randn(6, 10), torch.randint(0, 4, (6,))) for _ in range(20)]:
    out = net(x)
    loss = torch.nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    y_pred.append(out.argmax(dim=-1))
    flags.append(out.max(1)[1] == y)
    top.append(out.topk(2)[1])
print(torch.cat(y_pred).shape)
