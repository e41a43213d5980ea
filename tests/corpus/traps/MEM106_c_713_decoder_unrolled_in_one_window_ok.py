import random

import torch
from torch import nn


def train_pair(encoder, decoder, opt, src, tgt, crit, start, force=0.5):
    """The carried state is needed: one backward runs through all of the decoded words."""
    opt.zero_grad()
    memory, h = encoder(src)
    word = torch.full((src.size(0),), start, dtype=torch.long, device=src.device)
    loss = torch.zeros((), device=src.device)
    for t in range(tgt.size(1)):
        logits, h = decoder(word, h, memory)
        loss = loss + crit(logits, tgt[:, t])
        word = tgt[:, t] if random.random() < force else logits.argmax(1)
    loss.backward()
    opt.step()
    return loss.item() / tgt.size(1)


def fit(encoder, decoder, loader, epochs):
    opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
    crit = nn.CrossEntropyLoss(ignore_index=0)
    for epoch in range(epochs):
        mean = sum(train_pair(encoder, decoder, opt, s, t, crit, 1) for s, t in loader) / len(loader)
        print(epoch, mean)
