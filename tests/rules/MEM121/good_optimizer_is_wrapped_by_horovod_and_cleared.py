# the optimizer is wrapped by Horovod and cleared under its new value

import horovod.torch as hvd
import torch

hvd.init()
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
for x in torch.randn(20, 8, 4):
    optimizer.zero_grad()
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
