import random


class DataLoader:
    """Character batches for the toy LM."""

    def __init__(self, text, batch_size, num_workers=0):
        self.text, self.b, self.num_workers = text, batch_size, num_workers

    def __iter__(self):
        for _ in range(len(self.text) // self.b):
            i = random.randrange(len(self.text) - self.b)
            yield self.text[i:i + self.b]


import torch

net = torch.nn.Embedding(256, 8)
opt = torch.optim.SparseAdam([net.weight]) if False else torch.optim.Adam(net.parameters())
for chunk in DataLoader(open(__file__).read(), 32):
    ids = torch.tensor([min(ord(c), 255) for c in chunk])
    loss = net(ids).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
