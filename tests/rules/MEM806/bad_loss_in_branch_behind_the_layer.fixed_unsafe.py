# The logits are wanted without targets only.

import torch
from torch import nn


def chunked_cross_entropy(head, hidden, targets, ignore_index=-100, **options):
    # The mean cross-entropy of head(hidden), 512 rows at a time: all logits at once are never there.
    options.update(ignore_index=ignore_index, reduction="sum")

    def summed(some, wanted):
        return torch.nn.functional.cross_entropy(head(some), wanted, **options)

    hidden, targets = hidden.flatten(0, -2), targets.flatten()
    total = 0.0
    for some, wanted in zip(hidden.split(512), targets.split(512)):
        total = total + torch.utils.checkpoint.checkpoint(summed, some, wanted, use_reentrant=False)
    return total / (targets != ignore_index).sum()


class Decoder(nn.Module):
    def __init__(self, width, vocab_size):
        super().__init__()
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab_size)

    def forward(self, x, targets=None):
        x = self.norm(x)
        logits = None if targets is not None else self.head(x)
        loss = None
        if targets is not None:
            loss = chunked_cross_entropy(self.head, x, targets.view(-1), ignore_index=-1)
        return logits, loss
