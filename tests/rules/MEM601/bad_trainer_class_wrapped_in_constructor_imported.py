# trainer class, wrapped in the constructor, imported by name

import torch
from torch.nn.parallel import DataParallel


class Learner:
    def __init__(self, net, gpus):
        self.net = DataParallel(net.cuda(), device_ids=gpus)  #! MEM601
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def train_step(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()


learner = Learner(torch.nn.Linear(9, 3), [0, 1, 2])
for _ in range(10):
    learner.train_step(torch.randn(30, 9), torch.randint(0, 3, (30,)))
