import logging
import random

import torch
import torch.nn.functional as F
from torch import autograd, profiler
from torch.utils.data import DataLoader

autograd.set_detect_anomaly(mode=True)  #! MEM125
logging.basicConfig(level=logging.INFO)


class Solver:
    def __init__(self, net, data, lr):
        self.net = net.cuda()
        self.loader = DataLoader(data, batch_size=32, num_workers=4)
        self.optim = torch.optim.RMSprop(self.net.parameters(), lr=lr)

    def step(self, batch):
        self.optim.zero_grad()
        loss = F.smooth_l1_loss(self.net(batch.cuda()), batch.cuda())
        loss.backward()
        self.optim.step()
        return loss.item()

    def solve(self, epochs):
        for epoch in range(epochs):
            losses = [self.step(batch) for batch in self.loader]
            logging.info("%d %.3f", epoch, sum(losses) / len(losses))


def main():
    random.seed(3)
    torch.cuda.memory._record_memory_history(enabled="all", context="all")  #! MEM125
    solver = Solver(torch.nn.Linear(64, 64), torch.randn(4096, 64), 1e-3)
    with profiler.profile(record_shapes=True, profile_memory=True) as prof:  #! MEM125
        solver.solve(10)
    prof.export_chrome_trace("trace.json")


if __name__ == "__main__":
    main()
