# flat script that counts steps

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

digits = datasets.MNIST("data", transform=transforms.ToTensor())
train_loader = DataLoader(digits, batch_size=128, shuffle=True, num_workers=2)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader_iter = iter(train_loader)
for step in range(2000):
    try:
        images, labels = next(train_loader_iter)
    except StopIteration:
        train_loader_iter = iter(train_loader)
        images, labels = next(train_loader_iter)
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
