# a decorated forward, trained without a scaler by a closure

import torch
from torch.cuda.amp import autocast


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(12, 12)
        self.out = torch.nn.Linear(12, 3)

    @autocast()
    def forward(self, x):
        hidden, _ = self.rnn(x)
        return self.out(hidden)


def make_step(tagger, optimizer):
    def step(x):
        optimizer.zero_grad()
        loss = tagger(x).float().var()
        loss.backward()  #! MEM303 warning
        optimizer.step()

    return step


tagger = Tagger().cuda()
step = make_step(tagger, torch.optim.Adam(tagger.parameters()))
for _ in range(25):
    step(torch.randn(7, 2, 12, device="cuda"))
