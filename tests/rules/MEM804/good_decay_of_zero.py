# decay of zero

import torch

DECAY = 0.0


def train(model, loader):
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=DECAY)
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).mean().backward()
        optimizer.step()
