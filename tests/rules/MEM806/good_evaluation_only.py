# Without gradients one tensor of logits is there, and no backward.

import torch
from torch import nn
from torch.nn import functional as F

head = nn.Linear(768, 50_257).cuda().eval()


@torch.no_grad()
def perplexity(h, y):
    return F.cross_entropy(head(h), y).exp()
