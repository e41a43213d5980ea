# MNIST lies in memory, but each picture goes through PIL: advice

import torch
from torch.nn import functional as F
from torchvision import datasets, transforms

train_loader = torch.utils.data.DataLoader(  #! MEM401 advice
    datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor()),
    batch_size=64, shuffle=True)
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10))
optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
for batch_idx, (data, target) in enumerate(train_loader):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(data), target)
    loss.backward()
    optimizer.step()
