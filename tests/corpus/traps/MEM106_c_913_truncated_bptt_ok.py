"""Char-RNN variants that do detach."""
import torch
import torch.nn as nn


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class CharRNN(nn.Module):
    def __init__(self, v, d, layers=2):
        super().__init__()
        self.emb, self.rnn, self.fc = nn.Embedding(v, d), nn.LSTM(d, d, layers, batch_first=True), nn.Linear(d, v)

    def forward(self, x, hc=None):
        y, hc = self.rnn(self.emb(x), hc)
        return self.fc(y), hc


class Train:
    def __init__(self, net, opt):
        self.net, self.opt, self.h = net, opt, None

    def chunk(self, x, y):
        if self.h is not None:
            self.h = repackage_hidden(self.h)
        out, self.h = self.net(x, self.h)
        loss = nn.functional.cross_entropy(out.transpose(1, 2), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def epoch(self, chunks):
        self.h = None
        return [self.chunk(x, y) for x, y in chunks]


def per_step(net, opt, seqs):
    for seq in seqs:
        hc = None
        loss = 0
        for t in range(seq.size(1) - 1):
            out, hc = net(seq[:, t:t + 1], hc)
            loss = loss + nn.functional.cross_entropy(out.squeeze(1), seq[:, t + 1])
        opt.zero_grad()
        loss.backward()
        opt.step()


def old(net, opt, chunks):
    state = None
    for x, y in chunks:
        out, state = net(x, state)
        state = [s.data for s in state]
        loss = nn.functional.cross_entropy(out.transpose(1, 2), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
