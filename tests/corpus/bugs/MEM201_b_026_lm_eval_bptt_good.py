import math
import time

import torch
import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers = nhid, nlayers

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.encoder(x), hidden)
        return self.decoder(out).view(-1, self.decoder.out_features), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return (w.new_zeros(self.nlayers, bsz, self.nhid), w.new_zeros(self.nlayers, bsz, self.nhid))


def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)


def get_batch(source, i, bptt=35):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def evaluate(model, source, criterion):
    model.eval()
    total_loss = 0.
    hidden = model.init_hidden(10)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, 35):
            data, targets = get_batch(source, i)
            output, hidden = model(data, hidden)
            total_loss += len(data) * criterion(output, targets).item()
    return total_loss / (len(source) - 1)


def train(model, source, criterion, lr):
    model.train()
    total_loss = 0.
    start = time.time()
    hidden = model.init_hidden(20)
    for batch, i in enumerate(range(0, source.size(0) - 1, 35)):
        data, targets = get_batch(source, i)
        hidden = repackage_hidden(hidden)
        model.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
        if batch % 200 == 0 and batch > 0:
            cur = float(total_loss) / 200
            print(f"batch {batch} loss {cur:.2f} ppl {math.exp(cur):.2f} {time.time() - start:.1f}s")
            total_loss = 0


def main(train_data, val_data, ntokens):
    model = RNNModel(ntokens, 200, 200, 2).cuda()
    criterion = nn.CrossEntropyLoss()
    lr, best = 20.0, None
    for epoch in range(40):
        train(model, train_data, criterion, lr)
        v = evaluate(model, val_data, criterion)
        if best is None or v < best:
            best = v
        else:
            lr /= 4.0
