# DeepSpeed's initialize

import deepspeed
import torch

model = torch.nn.Linear(2, 1)
engine, optimizer, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters())
for x in torch.randn(10, 3, 2):
    engine.backward(engine(x).mean())
    engine.step()
