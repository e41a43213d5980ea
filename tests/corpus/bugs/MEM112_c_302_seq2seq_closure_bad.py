import torch
from torch import nn, optim


def build(src_vocab=8000, tgt_vocab=12000, d=64):
    enc = nn.Embedding(src_vocab, d)
    rnn = nn.LSTM(d, d, batch_first=True)
    proj = nn.Linear(d, tgt_vocab)
    return nn.ModuleDict({"enc": enc, "rnn": rnn, "proj": proj})


def run(epochs):
    net = build()
    opt = optim.Adam(net.parameters())
    ce = nn.CrossEntropyLoss()

    def forward_pass(src):
        h, _ = net["rnn"](net["enc"](src))
        return net["proj"](h)

    for _ in range(epochs):
        src = torch.randint(0, 8000, (4, 12))
        tgt = torch.randint(0, 12000, (4, 12))
        y_hat = forward_pass(src)
        loss = ce(y_hat.reshape(-1, y_hat.shape[-1]), tgt.reshape(-1))  #! MEM112
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{loss.item():.3f}")


run(3)
