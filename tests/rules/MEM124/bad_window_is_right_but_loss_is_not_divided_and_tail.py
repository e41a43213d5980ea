# the window is right, but the loss is not divided and the tail is lost

import torch
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.randn(90, 5), torch.randn(90, 1))
train_loader = DataLoader(dataset, batch_size=8, shuffle=True)
net = torch.nn.Linear(5, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
optimizer.zero_grad()
for epoch in range(2):
    for it, (x, y) in enumerate(train_loader):
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()  #! MEM124 advice
        if (it + 1) % 4 == 0:  #! MEM124 advice
            optimizer.step()
            optimizer.zero_grad()
