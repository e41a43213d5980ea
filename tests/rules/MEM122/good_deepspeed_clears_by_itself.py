# DeepSpeed clears by itself

import deepspeed
import torch

net = torch.nn.Linear(4, 2)
engine, optimizer, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config="ds.json")
for x in torch.randn(5, 3, 4):
    loss = engine(x).sum()
    optimizer.zero_grad()
    engine.backward(loss)
    engine.step()
