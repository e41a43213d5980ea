# module state that the loop resets before each sequence, and another that detaches it itself

import torch
from torch import nn


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6)
        self.tag = nn.Linear(6, 3)
        self.reset()

    def reset(self):
        self.hidden = (torch.zeros(1, 1, 6), torch.zeros(1, 1, 6))

    def forward(self, sentence):
        out, self.hidden = self.lstm(sentence, self.hidden)
        return self.tag(out)


class Stateful(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 6)
        self.state = None

    def forward(self, x):
        if self.state is not None:
            self.state = self.state.detach()
        y, self.state = self.gru(x, self.state)
        return y


first, second = Sequence(), Stateful()
opt = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
for sentence in torch.randn(8, 5, 1, 4):
    opt.zero_grad()
    first.reset()
    loss = first(sentence).mean() + second(sentence).mean()
    loss.backward()
    opt.step()
