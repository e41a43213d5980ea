# DeepSpeed keeps float32 master weights itself

import deepspeed
import torch

model = torch.nn.Linear(4, 2).half()
engine, optimizer, _, _ = deepspeed.initialize(model=model, config={"fp16": {"enabled": True}})
for x in torch.randn(10, 2, 4):
    loss = engine(x.half().cuda()).pow(2).mean()
    engine.backward(loss)
    engine.step()
