# module that keeps its own state on self between calls

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.LSTM(6, 16, batch_first=True)
        self.score = nn.Linear(16, 4)
        self.memory = self.start()

    def start(self):
        return torch.zeros(1, 5, 16), torch.zeros(1, 5, 16)

    def forward(self, words):
        features, self.memory = self.encoder(words, self.memory)  #! MEM106 error
        return self.score(features)


tagger = Tagger()
sgd = torch.optim.SGD(tagger.parameters(), lr=0.2)
loader = DataLoader(TensorDataset(torch.randn(50, 7, 6), torch.randint(0, 4, (50, 7))), batch_size=5)
for words, tags in loader:
    sgd.zero_grad()
    F.cross_entropy(tagger(words).flatten(0, 1), tags.flatten()).backward()
    sgd.step()
