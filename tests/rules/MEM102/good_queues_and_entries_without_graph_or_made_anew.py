# what goes into the queue has no graph, or the tensor belongs to one step and its loss

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


class Contrast(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key = torch.nn.Linear(64, 128), torch.nn.Linear(64, 128)
        self.register_buffer("queue", torch.randn(128, 4096))

    @torch.no_grad()
    def enqueue(self, keys):
        self.queue = torch.cat([self.queue[:, keys.shape[0] :], keys.T], dim=1)

    def forward(self, x, y):
        logits = self.query(x) @ self.queue.clone().detach()
        with torch.no_grad():
            keys = self.key(y)
        self.enqueue(keys)
        return logits


def main(data):
    net = Contrast()
    optimizer = torch.optim.SGD(net.query.parameters(), lr=0.1)
    bank = torch.zeros(0, 4096)
    for x, y in DataLoader(data, batch_size=64):
        logits = net(x, y)
        optimizer.zero_grad()
        logits.logsumexp(1).mean().backward()
        optimizer.step()
        bank = torch.cat([logits.detach(), bank])[:256]


class Stream(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)
        self.past = None

    def reset(self):
        self.past = torch.zeros(4, 8)

    def forward(self, x):
        self.past = torch.cat([self.past, self.layer(x)])[-4:]
        return self.past.sum(0)


def stream(data):
    net = Stream()
    optimizer = torch.optim.Adam(net.parameters())
    for sequence in DataLoader(data):
        net.reset()
        loss = sum(net(x).mean() for x in sequence)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def unroll(cell, optimizer, data):
    for x, y in DataLoader(data):
        outputs, window = torch.zeros(10, 8), x[:, :4]
        for step in range(10):
            outputs[step] = cell(window)
            window = torch.cat([window, outputs[step][:, None]], 1)[:, -4:]
        loss = F.mse_loss(outputs, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def record(net, optimizer, data):
    losses, seen = torch.zeros(len(data)), torch.zeros(len(data), 10)
    for step, (x, y) in enumerate(DataLoader(data)):
        out = net(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[step] = loss.item()
        seen[step] = out.detach()[0]
