# counts through the loader, but the batch was taken before the loop

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 16
images = TensorDataset(torch.randn(160, 1, 8, 8), torch.randint(0, 10, (160,)))
loader = DataLoader(images, batch_size=batch_size)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters())
data, target = next(iter(loader))
for epoch in range(2):
    for i in range(0, len(loader), batch_size):
        optimizer.zero_grad()
        output = model(data)  #! MEM124 warning
        loss = nn.functional.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
