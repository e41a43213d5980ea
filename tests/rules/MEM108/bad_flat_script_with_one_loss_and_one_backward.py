# flat script with one loss and one backward

import torch
from torch import nn

torch.manual_seed(5)
net = nn.Sequential(nn.Linear(32, 128), nn.GELU(), nn.Linear(128, 8))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(40):
    features, labels = torch.randn(16, 32), torch.randint(0, 8, (16,))
    optimizer.zero_grad()
    loss = criterion(net(features), labels)
    loss.backward(retain_graph=True)  #! MEM108
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
