# For ten classes in view it is a small matter, and the labels are seen to be one for each row.

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(MNIST("data"), batch_size=64):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), F.one_hot(y, 10).float())  #! MEM414 advice
    loss.backward()
    optimizer.step()
