# the workers are started once: each round takes further batches of the same iterator

import torch
from torch.utils.data import DataLoader


class Learner:
    def __init__(self, data):
        self.net = torch.nn.Linear(32, 9)
        self.opt = torch.optim.Adam(self.net.parameters())
        self.feed = iter(DataLoader(data, batch_size=32, num_workers=2))

    def lap(self):
        for _ in range(100):
            self.opt.zero_grad()
            self.net(next(self.feed)).mean().backward()
            self.opt.step()


if __name__ == "__main__":
    learner = Learner(torch.load("data.pt"))
    for _ in range(5):
        learner.lap()
