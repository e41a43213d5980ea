# A criterion of the class, with the classes in the second dimension; no logits leave the method.

import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self, width, pad):
        super().__init__()
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.words = nn.Linear(width, 32_000, bias=False)
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad, label_smoothing=0.1)

    def forward(self, x, captions):
        states, _ = self.rnn(x)
        scores = self.words(states)
        return self.criterion(scores.transpose(1, 2), captions)  #! MEM806 advice
