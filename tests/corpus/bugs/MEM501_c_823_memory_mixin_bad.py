import gc
import torch
from torch.cuda import empty_cache as flush


class MemoryMixin:
    def cleanup(self):
        gc.collect()  #= MEM501
        flush()  #= MEM501


class Trainer(MemoryMixin):
    def __init__(self, net, opt, loader):
        self.net, self.opt, self.loader = net, opt, loader

    def training_step(self, batch):
        x, y = (t.cuda(non_blocking=True) for t in batch)
        self.opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def train(self, epochs):
        for epoch in range(epochs):
            for batch in self.loader:
                loss = self.training_step(batch)
                self.cleanup()  #! MEM501
            print(epoch, loss)
