# torch's own averaged model

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

model = torch.nn.Linear(3, 1)
ema_model = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999))
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for x in torch.randn(10, 4, 3):
    opt.zero_grad()
    model(x).mean().backward()
    opt.step()
    ema_model.update_parameters(model)
