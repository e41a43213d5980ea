import torch
import torch.nn as nn
from tqdm import trange


def pad(batch):
    xs, ys = zip(*batch)
    return nn.utils.rnn.pad_sequence(xs, batch_first=True), nn.utils.rnn.pad_sequence(ys, batch_first=True, padding_value=-1)


class Tagger(nn.Module):
    def __init__(self, vocab, tags, d=100):
        super().__init__()
        self.e = nn.Embedding(vocab, d)
        self.r = nn.LSTM(d, d, bidirectional=True, batch_first=True)
        self.o = nn.Linear(2 * d, tags)

    def forward(self, x):
        return self.o(self.r(self.e(x))[0])


def train(sentences, vocab, tags, epochs=30, bs=32):
    net = Tagger(vocab, tags)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    ce = nn.CrossEntropyLoss(ignore_index=-1)
    for epoch in trange(epochs):
        opt.zero_grad()
        perm = torch.randperm(len(sentences)).tolist()
        tot = 0.
        for k in range(0, len(perm), bs):
            x, y = pad([sentences[i] for i in perm[k:k + bs]])
            loss = ce(net(x).flatten(0, 1), y.flatten())
            loss.backward()  #! MEM121
            opt.step()
            tot += loss.item()
        print(epoch, tot)
    return net
