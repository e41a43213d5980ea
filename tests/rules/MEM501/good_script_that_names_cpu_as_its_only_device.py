# a script that names the CPU as its only device

import gc

import torch

device = torch.device("cpu")
model = torch.nn.Linear(3, 3).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(9, 2, 3):
    opt.zero_grad()
    model(x).sum().backward()
    opt.step()
    torch.cuda.empty_cache()
