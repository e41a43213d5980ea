"""The streamer is fed under no_grad; only the last, short piece is not."""
import torch
from torch import nn


class Streamer:
    def __init__(self, net, size):
        self.net = net
        self.size = size
        self.pending = torch.zeros(1, 0)

    def feed(self, wave):
        self.pending = torch.cat([self.pending, wave], dim=1)
        outs = []
        while self.pending.shape[1] >= self.size:
            out = self.net(self.pending[:, : self.size])
            outs.append(out)
            self.pending = self.pending[:, self.size :]
        return torch.cat(outs, 1) if outs else torch.zeros(1, 0)

    def flush(self):
        return self.feed(torch.zeros(1, self.size - 1))


def main():
    net = nn.Linear(160, 160)
    streamer = Streamer(net, 160)
    wave = torch.randn(1, 16000)
    out = []
    with torch.no_grad():
        while wave.shape[1] > 0:
            out.append(streamer.feed(wave[:, :500]))
            wave = wave[:, 500:]
    out.append(streamer.flush())
    print(torch.cat(out, 1).shape)


main()
