# training calls a method that gives the embedding as well, the validation behind it calls forward

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(32, 16)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        scores, _ = self.with_embedding(x)
        return scores

    def with_embedding(self, x):
        hidden = F.relu(self.first(x))
        return self.head(hidden), hidden

    def fit(self, x, y, x_val, y_val):
        optimizer = torch.optim.Adam(self.parameters())
        best = float("inf")
        for _ in range(100):
            self.train()
            optimizer.zero_grad()
            scores, embedding = self.with_embedding(x)
            loss = F.cross_entropy(scores, y) + 0.1 * embedding.norm()
            loss.backward()
            optimizer.step()
            self.eval()
            scores = self.forward(x_val)  #! MEM201 error
            best = min(best, F.cross_entropy(scores, y_val).item())
        return best
