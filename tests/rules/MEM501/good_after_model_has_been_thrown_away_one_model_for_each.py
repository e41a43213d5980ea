# after a model has been thrown away: one model for each fold

import gc

import torch


def build():
    return torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.ReLU(), torch.nn.Linear(10, 1)).cuda()


for fold in range(5):
    model = build()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 10).cuda()).mean().backward()
        optimizer.step()
    del model, optimizer
    gc.collect()
    torch.cuda.empty_cache()
