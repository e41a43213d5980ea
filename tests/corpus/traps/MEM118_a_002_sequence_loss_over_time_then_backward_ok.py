import random
import torch
import torch.nn as nn

SOS, EOS = 0, 1


def train_pair(src, tgt, encoder, decoder, enc_opt, dec_opt, criterion, teacher_forcing=0.5):
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    hidden = encoder.init_hidden()
    loss = 0
    enc_outputs = torch.zeros(50, encoder.hidden_size)
    for ei in range(src.size(0)):
        out, hidden = encoder(src[ei], hidden)
        enc_outputs[ei] = out[0, 0]
    inp = torch.tensor([[SOS]])
    use_tf = random.random() < teacher_forcing
    for di in range(tgt.size(0)):
        out, hidden, _ = decoder(inp, hidden, enc_outputs)
        loss += criterion(out, tgt[di])
        if use_tf:
            inp = tgt[di]
        else:
            inp = out.topk(1)[1].squeeze().detach()
            if inp.item() == EOS:
                break
    loss.backward()
    enc_opt.step()
    dec_opt.step()
    return loss.item() / tgt.size(0)


def train_iters(pairs, encoder, decoder, n, lr=0.01):
    e = torch.optim.SGD(encoder.parameters(), lr=lr)
    d = torch.optim.SGD(decoder.parameters(), lr=lr)
    total = 0
    for i in range(n):
        s, t = random.choice(pairs)
        total += train_pair(s, t, encoder, decoder, e, d, nn.NLLLoss())
        if i % 100 == 99:
            print(i, total / 100)
            total = 0
