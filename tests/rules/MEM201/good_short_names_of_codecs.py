# what is called `enc` outside of a network is a codec, and the parts of the network run under no_grad

import torch
import torch.nn as nn
import torch.nn.functional as F
from parts import Encoder, Head
from codecs_of_text import get_codec
from data import loaders


class Tagger(nn.Module):
    def __init__(self, enc, head):
        super().__init__()
        self.enc, self.head = enc, head

    def forward(self, x):
        return self.head(self.enc(x))


class Codec:
    def __init__(self):
        self.enc, self.dec = get_codec("gpt2")


train_loader, test_loader = loaders()
codec = Codec()
model = Tagger(Encoder(8000, 256), Head(256, 9)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for x, y in train_loader:
    loss = F.cross_entropy(model(x.cuda()), y.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
lengths = []
for text, x in test_loader:
    lengths.append(len(codec.enc(text)))
    with torch.no_grad():
        print(model.head(model.enc(x.cuda())).argmax(1).tolist())
print(sum(lengths))
