"""A word model with two LSTM layers; a real GPU runs them in cuDNN."""

import torch
import torch.nn.functional as F
from torch import nn


class WordModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 64)
        self.memory = nn.LSTM(64, 128, 2, batch_first=True)
        self.head = nn.Linear(128, 1000)

    def forward(self, words):
        states, _ = self.memory(self.embed(words))
        return self.head(states)


torch.manual_seed(0)
model = WordModel().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for _ in range(4):
    words = torch.randint(0, 1000, (16, 33), device="cuda")
    loss = F.cross_entropy(model(words[:, :-1]).transpose(1, 2), words[:, 1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
