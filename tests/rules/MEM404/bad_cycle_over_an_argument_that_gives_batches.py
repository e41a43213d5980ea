# nothing is called a loader, but what each turn takes is moved to the GPU and trained on

from itertools import cycle

import torch
import torch.nn.functional as F


def adapt(model, optimizer, labeled, unlabeled, device):
    for (x, y), u in zip(cycle(labeled), unlabeled):  #! MEM404 warning
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x.to(device)), y.to(device)) + model(u.to(device)).var()
        loss.backward()
        optimizer.step()


def replay(model, optimizer, memories, steps):
    source = cycle(memories)  #! MEM404 warning
    for _ in range(steps):
        x, y = next(source)
        optimizer.zero_grad()
        F.mse_loss(model(x.cuda()), y.cuda()).backward()
        optimizer.step()


torch.manual_seed(0)
