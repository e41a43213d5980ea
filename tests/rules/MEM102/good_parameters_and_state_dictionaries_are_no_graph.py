# parameters and state dictionaries are no graph tensors

import copy

import torch

model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
params, snapshots, grads = [], [], []
for name, p in model.named_parameters():
    params.append(p)
for epoch in range(3):
    optimizer.zero_grad()
    model(torch.randn(2, 3)).sum().backward()
    optimizer.step()
    snapshots.append(copy.deepcopy(model.state_dict()))
    grads.append(model.weight.grad.norm().item())
