# DistributedDataParallel of apex is what runs where a launcher started several processes.

from apex.parallel.distributed import DistributedDataParallel as DDP
from torch import nn


class Runner:
    def spread(self):
        if self.local_rank != -1:
            self.model = DDP(self.model)
        elif self.n_gpu > 1:
            self.model = nn.DataParallel(self.model)  #! MEM601 advice

    def step(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
