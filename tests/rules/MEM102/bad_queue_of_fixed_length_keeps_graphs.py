# a queue of embeddings is cut to its length, but not from the graphs of what goes in

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


def contrast(encoder, optimizer, data):
    encoder.cuda()
    queue = torch.randn(4096, 128).cuda()
    for query, key in DataLoader(data, batch_size=64):
        q, k = encoder(query.cuda()), encoder(key.cuda())
        loss = F.cross_entropy(torch.cat([(q * k).sum(1, keepdim=True), q @ queue.t()], 1), zeros(64))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        queue = torch.cat([k, queue])[:4096]  #! MEM102 error


def zeros(count):
    return torch.zeros(count, dtype=torch.long).cuda()


def remember(encoder, optimizer, data):
    bank = torch.zeros(0, 128).cuda()
    for x, y in DataLoader(data, batch_size=64):
        features = encoder(x.cuda())
        loss = F.cross_entropy(features, y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        bank = torch.vstack((bank, features))  #! MEM102
        bank = bank[-1000:]


class Contrast(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key = torch.nn.Linear(64, 128), torch.nn.Linear(64, 128)
        self.register_buffer("queue", torch.randn(128, 4096))

    def enqueue(self, keys):
        self.queue = torch.cat([self.queue[:, keys.shape[0] :], keys.T], dim=1)  #! MEM102

    def forward(self, x, y):
        logits = self.query(x) @ self.queue.clone().detach()
        self.enqueue(self.key(y))
        return logits


def main(data):
    net = Contrast()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in DataLoader(data, batch_size=64):
        optimizer.zero_grad()
        net(x, y).logsumexp(1).mean().backward()
        optimizer.step()
