# validation loop without no_grad, state carried from chunk to chunk

import math

import torch
from torch import nn


class WordModel(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.table = nn.Embedding(n, 20)
        self.rnn = nn.RNN(20, 20)
        self.out = nn.Linear(20, n)

    def forward(self, ids, hidden):
        seen, hidden = self.rnn(self.table(ids), hidden)
        return self.out(seen), hidden


def evaluate(model, source, bptt=12):
    model.eval()
    total = 0.0
    hidden = torch.zeros(1, source.size(1), 20)
    for i in range(0, source.size(0) - bptt - 1, bptt):
        logits, hidden = model(source[i : i + bptt], hidden)  #! MEM106 error
        answer = source[i + 1 : i + 1 + bptt]
        total += nn.functional.cross_entropy(logits.flatten(0, 1), answer.flatten()).item()
    return math.exp(total / (source.size(0) // bptt))


print(evaluate(WordModel(50), torch.randint(0, 50, (240, 4))))
