# What is converted is no logits.

import torch
import torch.nn.functional as F


def step(model, x, y, mask, vocab_size):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        losses = F.cross_entropy(model(x).view(-1, vocab_size), y.view(-1), reduction="none")
    loss = (losses.float() * mask.float().view(-1)).sum() / mask.float().sum()
    loss.backward()
