import torch
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self, vocab=10000, width=650):
        super().__init__()
        self.enc = nn.Embedding(vocab, width)
        self.lstm = nn.LSTM(width, width, 2)
        self.dec = nn.Linear(width, vocab)

    def begin(self, n):
        w = next(self.parameters())
        return w.new_zeros(2, n, 650), w.new_zeros(2, n, 650)

    @staticmethod
    def cut(memory):
        return [m.detach() for m in memory]

    def forward(self, ids, memory):
        out, memory = self.lstm(self.enc(ids), memory)
        return self.dec(out), memory


def epoch(net, source, opt, crit, bptt=35):
    memory = net.begin(source.size(1))
    shown = 0.0
    for i in range(0, source.size(0) - 1, bptt):
        n = min(bptt, source.size(0) - 1 - i)
        memory = net.cut(memory)
        opt.zero_grad(set_to_none=True)
        out, memory = net(source[i:i + n], memory)
        loss = crit(out.flatten(0, 1), source[i + 1:i + 1 + n].flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.25)
        opt.step()
        shown += loss.item()
    return shown
