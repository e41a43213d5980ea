# predict returns what the network gives, and the test of the same class makes numbers of it

import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(128, 8)

    def forward(self, x):
        return F.log_softmax(self.layer(x), dim=1)

    def predict(self, x):
        self.eval()
        return self.forward(x)

    def test(self, x, y):
        scores = self.predict(x)  #! MEM201 error
        return F.nll_loss(scores, y).item(), (scores.argmax(1) == y).float().mean().item()
