# A criterion of the class, with the classes in the second dimension; no logits leave the method.

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


class Captioner(nn.Module):
    def __init__(self, width, pad):
        super().__init__()
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.words = nn.Linear(width, 32_000, bias=False)
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad, label_smoothing=0.1)

    def forward(self, x, captions):
        states, _ = self.rnn(x)
        return chunked_cross_entropy(self.words, states, captions, ignore_index=self.criterion.ignore_index, label_smoothing=self.criterion.label_smoothing)
