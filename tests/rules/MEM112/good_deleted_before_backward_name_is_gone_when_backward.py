# deleted before the backward: the name is gone when backward runs

import torch

net = torch.nn.Linear(32, 50000)
criterion = torch.nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    x, y = torch.randn(4, 32), torch.randint(0, 50000, (4,))
    logits = net(x)
    loss = criterion(logits, y)
    hits = (logits.argmax(1) == y).sum().item()
    del logits
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(hits)
