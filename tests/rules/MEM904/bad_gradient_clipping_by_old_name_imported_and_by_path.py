# gradient clipping by the old name, imported and by path

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm


def update(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    clip_grad_norm(model.parameters(), 1.0)  #! MEM904
    optimizer.step()


def update_head(model, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    total = nn.utils.clip_grad_norm(model.head.parameters(), max_norm=5.0)  #! MEM904
    optimizer.step()
    return total
