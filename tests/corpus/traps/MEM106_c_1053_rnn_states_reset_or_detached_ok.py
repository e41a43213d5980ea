import torch
import torch.nn as nn


def repackage(h):
    return h.detach() if torch.is_tensor(h) else tuple(repackage(v) for v in h)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.lstm, self.out = nn.Embedding(500, 64), nn.LSTM(64, 64, batch_first=True), nn.Linear(64, 9)

    def init_hidden(self, n):
        w = next(self.parameters())
        return w.new_zeros(1, n, 64), w.new_zeros(1, n, 64)

    def forward(self, x, h):
        y, h = self.lstm(self.emb(x), h)
        return self.out(y), h


def train_stateful(net, chunks, opt, ce):
    h = net.init_hidden(16)
    for i, (x, y) in enumerate(chunks):
        h = repackage(h)
        opt.zero_grad()
        o, h = net(x, h)
        ce(o.flatten(0, 1), y.flatten()).backward()
        opt.step()


def train_reset(net, loader, opt, ce):
    for x, y in loader:
        h = net.init_hidden(x.size(0))
        o, h = net(x, h)
        opt.zero_grad()  #? MEM122
        ce(o.flatten(0, 1), y.flatten()).backward()
        opt.step()


def train_data_attr(net, loader, opt, ce):
    h, c = net.init_hidden(16)
    for x, y in loader:
        h, c = h.data, c.data
        opt.zero_grad()
        o, (h, c) = net(x, (h, c))
        ce(o.flatten(0, 1), y.flatten()).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()


def scheduled(enc, cell, readout, seqs, opt):
    for src, tgt in seqs:
        h = enc(src)
        loss = 0
        x = torch.zeros(src.size(0), 64)
        for t in range(tgt.size(1)):
            h = cell(x, h)
            x = readout(h)
            loss = loss + (x - tgt[:, t]).pow(2).mean()
        opt.zero_grad()  #? MEM122
        loss.backward()
        opt.step()
