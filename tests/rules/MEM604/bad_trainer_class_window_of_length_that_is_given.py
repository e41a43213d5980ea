# trainer class, window of a length that is given

import torch
from torch import nn


class Trainer:
    def __init__(self, net, rank, grad_accum):
        torch.cuda.set_device(rank)
        self.net = nn.parallel.DistributedDataParallel(net.cuda(), device_ids=[rank])
        self.opt = torch.optim.Adam(self.net.parameters())
        self.grad_accum = grad_accum

    def fit(self, loader):
        for step, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(self.net(x.cuda()), y.cuda())
            (loss / self.grad_accum).backward()  #! MEM604
            if (step + 1) % self.grad_accum == 0:
                self.opt.step()
                self.opt.zero_grad(set_to_none=True)


Trainer(nn.Linear(4, 2), 0, 4).fit([(torch.randn(2, 4), torch.tensor([0, 1]))] * 16)
