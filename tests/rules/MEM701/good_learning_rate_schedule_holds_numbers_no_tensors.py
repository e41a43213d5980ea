# a learning-rate schedule holds numbers, no tensors

import torch

optimizer = torch.optim.SGD([torch.zeros(1, device="cuda", requires_grad=True)], lr=1.0)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
scheduler.load_state_dict(torch.load("scheduler.pt"))
