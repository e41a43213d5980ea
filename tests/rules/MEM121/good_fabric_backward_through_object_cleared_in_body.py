# Fabric: backward through the object, cleared in the body

import lightning as L
import torch

fabric = L.Fabric(accelerator="cpu")
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = fabric.setup(model, optimizer)
for x in torch.randn(20, 8, 4):
    loss = model(x).mean()
    fabric.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
