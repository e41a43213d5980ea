# a copy is halved for export after training

import copy

import torch

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
for x in torch.randn(10, 2, 4):
    optimizer.zero_grad()
    model(x).pow(2).mean().backward()
    optimizer.step()
export = copy.deepcopy(model).half()
torch.save(export.state_dict(), "model_fp16.pt")
torch.save(model.half().state_dict(), "model.pt")
