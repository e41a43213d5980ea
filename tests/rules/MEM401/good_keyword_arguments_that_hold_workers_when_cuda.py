# keyword arguments that hold workers when CUDA is there, the official example's shape

import torch
from torchvision import datasets, transforms

train_kwargs = {"batch_size": 64}
if torch.cuda.is_available():
    train_kwargs.update({"num_workers": 1, "pin_memory": True, "shuffle": True})
train_loader = torch.utils.data.DataLoader(datasets.MNIST("data", transform=transforms.ToTensor()), **train_kwargs)
model = torch.nn.Linear(784, 10)
optimizer = torch.optim.Adadelta(model.parameters())
for data, target in train_loader:
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(data.flatten(1)), target).backward()
    optimizer.step()
