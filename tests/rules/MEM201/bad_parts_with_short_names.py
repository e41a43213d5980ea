# the parts of a network have short names, and are made of classes that another file defines

import torch
import torch.nn as nn
import torch.nn.functional as F
from parts import Encoder, Decoder
from data import vocabulary, loaders


class Seq2Seq(nn.Module):
    def __init__(self, enc, dec):
        super().__init__()
        self.enc, self.dec = enc, dec

    def forward(self, src, trg):
        memory, state = self.enc(src)
        scores = []
        for token in trg:
            score, state = self.dec(token, state, memory)
            scores.append(score)
        return torch.stack(scores)


def translate(model, src):
    model.eval()
    memory, state = model.enc(src)
    token, words = torch.tensor([1]).cuda(), []
    for _ in range(50):
        score, state = model.dec(token, state, memory)
        token = score.argmax(1)
        words.append(vocabulary[token.item()])
    return words


train_loader, test_loader = loaders()
model = Seq2Seq(Encoder(8000, 256), Decoder(6000, 256)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for src, trg in train_loader:
    loss = F.cross_entropy(model(src.cuda(), trg.cuda()).flatten(0, 1), trg.cuda().flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
found = []
for src, trg in test_loader:
    found.append(translate(model, src.cuda()))  #! MEM201 error
print(found)
