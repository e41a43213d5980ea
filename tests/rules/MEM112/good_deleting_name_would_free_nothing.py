# an output that is also kept in a list: the list holds the tensor: deleting the name would free nothing

import torch

net = torch.nn.Linear(16, 8)
ce = torch.nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
kept = []
for _ in range(5):
    y = torch.randint(0, 8, (4,))
    out = net(torch.randn(4, 16))
    kept.append(out.detach())
    loss = ce(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(torch.cat(kept).argmax(1))
