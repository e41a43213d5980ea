# images from a folder with transforms, argument left out

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

tfm = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
train_set = datasets.ImageFolder("data/train", transform=tfm)
train_loader = DataLoader(train_set, batch_size=64, shuffle=True)  #! MEM401 warning
model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 224 * 224, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(10):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
