# functions called from main, a network of the file

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5000, 64)
        self.encoder = nn.LSTM(64, 64, batch_first=True)
        self.head = nn.Linear(64, 9)

    def forward(self, tokens):
        return self.head(self.encoder(self.embedding(tokens))[0])


def train(network, optimizer, data):
    for tokens, tags in data:
        loss = nn.functional.cross_entropy(network(tokens).flatten(0, 1), tags.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    tagger = Tagger()
    optimizer = torch.optim.AdamW(tagger.head.parameters(), lr=1e-3)  #! MEM205 warning
    train(tagger, optimizer, [(torch.randint(0, 5000, (4, 12)), torch.randint(0, 9, (4, 12)))] * 10)


if __name__ == "__main__":
    main()
