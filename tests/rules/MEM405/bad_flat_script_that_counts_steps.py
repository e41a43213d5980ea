# flat script that counts steps

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

digits = datasets.MNIST("data", transform=transforms.ToTensor())
train_loader = DataLoader(digits, batch_size=128, shuffle=True, num_workers=2)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(2000):
    images, labels = next(iter(train_loader))  #! MEM405 error
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
