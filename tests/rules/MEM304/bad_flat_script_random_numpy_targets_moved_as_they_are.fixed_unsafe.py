# flat script: random NumPy targets moved as they are

import numpy as np
import torch

device = torch.device("cuda")
targets = np.random.uniform(-1, 1, size=(1000, 3))
model = torch.nn.Linear(5, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
wanted = torch.from_numpy(targets).float().to(device)
for x in torch.randn(20, 1000, 5, device=device):
    loss = (model(x) - wanted).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
