import random
import torch
import torch.nn as nn


def train_pair(src, tgt, encoder, decoder, eo, do, crit, sos=0, tf=0.5):
    h = encoder.init_hidden()
    eo.zero_grad()
    do.zero_grad()
    outs = torch.zeros(20, encoder.hidden)
    loss = 0
    for i in range(src.size(0)):
        o, h = encoder(src[i], h)
        outs[i] = o[0, 0]
    inp = torch.tensor([[sos]])
    teacher = random.random() < tf
    for i in range(tgt.size(0)):
        out, h, _ = decoder(inp, h, outs)
        loss += crit(out, tgt[i])
        inp = tgt[i] if teacher else out.topk(1)[1].squeeze().detach()
    loss.backward()
    eo.step()
    do.step()
    return loss.item() / tgt.size(0)


def train_iters(pairs, encoder, decoder, n, lr=0.01):
    eo = torch.optim.SGD(encoder.parameters(), lr=lr)
    do = torch.optim.SGD(decoder.parameters(), lr=lr)
    crit = nn.NLLLoss()
    total = 0
    for it in range(1, n + 1):
        total += train_pair(*random.choice(pairs), encoder, decoder, eo, do, crit)
        if it % 1000 == 0:
            print(it, total / 1000)
            total = 0
