# flat script, training and validation in one loop over epochs

import torch
from torch import nn

net = nn.Linear(1000, 3000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
train_data = [(torch.randn(4, 1000), torch.randint(0, 3, (4,)))] * 5
val_data = [(torch.randn(64, 1000), torch.randint(0, 3, (64,)))] * 2
for epoch in range(3):
    for x, y in train_data:
        opt.zero_grad()  #! MEM114 advice
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
    net.eval()
    right = 0
    with torch.no_grad():
        for x, y in val_data:
            right += (net(x).argmax(1) == y).sum().item()
    net.train()
    print(epoch, right)
