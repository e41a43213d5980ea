# options are passed on

import torch


def train(model, loader, **options):
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), **options)
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).mean().backward()
        optimizer.step()
