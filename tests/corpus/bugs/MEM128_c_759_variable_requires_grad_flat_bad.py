# Follows a tutorial of 2017.
import torch
import torch.nn as nn
from torch.autograd import Variable

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
loss_fn = nn.MSELoss()
data = torch.randn(512, 10)
target = data.sum(1, keepdim=True)
for epoch in range(200):
    for i in range(0, 512, 64):
        x = Variable(data[i:i + 64], requires_grad=True)  #! MEM128
        y = Variable(target[i:i + 64])
        optimizer.zero_grad()
        loss = loss_fn(net(x), y)
        loss.backward()
        optimizer.step()
print(loss.item())
