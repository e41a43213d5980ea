# The head is in no optimizer, and gradients go through it to the encoder: `embed` is a method of the base class.

import torch
import torch.nn.functional as F
from torch import nn

from sentences import SentenceModel


class PairClassifier(SentenceModel):
    def __init__(self, name):
        super().__init__(name)
        self.classifier = nn.Linear(768 * 2, 2).cuda()

    def joined(self, first, second):
        logits = self.classifier(torch.cat([first, second], 1))
        return logits

    def fit(self, loader):
        optimizer = torch.optim.AdamW(self.bert.parameters(), lr=2e-5)
        for first, second, y in loader:
            a = self.embed(first.cuda())
            loss = F.cross_entropy(self.joined(a, self.embed(second.cuda())), y.cuda())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
