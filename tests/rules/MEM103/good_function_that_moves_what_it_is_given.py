# a function that moves a model and a few batches for its caller does what it is there for

import torch


def move(model, batches):
    return model.to("cuda"), [batch.to("cuda") for batch in batches]


def fit(model, opt, criterion, epochs):
    model, batches = move(model, [torch.rand(8) for _ in range(2)])
    for _ in range(epochs):
        for batch in batches:
            opt.zero_grad()
            criterion(model(batch), batch).backward()
            opt.step()
