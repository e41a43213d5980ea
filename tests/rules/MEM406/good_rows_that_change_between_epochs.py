# workers that stay alive would not see the rows that each epoch adds, drops or puts in another order

import random

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def step(net, optimizer, x, y):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()


def replay(net, optimizer, play):
    rows = [play() for _ in range(100)]
    loader = DataLoader(rows, batch_size=4, num_workers=2)
    for epoch in range(10):
        rows.append(play())
        for x, y in loader:
            step(net, optimizer, x, y)


def reordered(net, optimizer, rows):
    loader = DataLoader(Rows(rows), batch_size=4, num_workers=2)
    for epoch in range(10):
        random.shuffle(rows)
        for x, y in loader:
            step(net, optimizer, x, y)


def replaced(net, optimizer, rows, play):
    data = Rows(rows)
    loader = DataLoader(data, batch_size=4, num_workers=2)
    for epoch in range(10):
        rows[epoch] = play()
        for x, y in loader:
            step(net, optimizer, x, y)
