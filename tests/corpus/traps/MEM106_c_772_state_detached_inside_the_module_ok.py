import torch
from torch import nn


class Stateful(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(32, 64, batch_first=True)
        self.out = nn.Linear(64, 32)
        self.h = None

    def reset(self):
        self.h = None

    def forward(self, x):
        y, h = self.rnn(x, self.h)
        self.h = h.data
        return self.out(y)


def train(net, songs, opt):
    for song in songs:
        net.reset()
        for a, b in zip(song[:-1], song[1:]):
            loss = (net(a) - b).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()


def listen(net, song):
    h = torch.zeros(1, 1, 64)
    with torch.no_grad():
        for frame in song:
            _, h = net.rnn(frame[None], h)
    return h


net = Stateful()
train(net, [torch.randn(10, 4, 7, 32)], torch.optim.Adam(net.parameters()))
