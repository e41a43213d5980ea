import gc

import torch
from torch.cuda import empty_cache


def flush():
    gc.collect()
    torch.cuda.empty_cache()  #= MEM501


class Runner:
    def __init__(self, net, opt, loaders, cfg):
        self.net, self.opt, self.loaders, self.cfg = net, opt, loaders, cfg

    def train_step(self, batch):
        out = self.net(batch["img"].cuda())
        loss = torch.nn.functional.mse_loss(out, batch["gt"].cuda())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        del out
        empty_cache()  #! MEM501
        return loss.item()

    def run(self):
        for epoch in range(self.cfg.epochs):
            for it, batch in enumerate(self.loaders["train"]):
                self.train_step(batch)
            self.evaluate()

    @torch.no_grad()
    def evaluate(self):
        self.net.eval()
        tot = 0
        for batch in self.loaders["val"]:
            tot += self.net(batch["img"].cuda()).mean().item()
            flush()  #! MEM501
        self.net.train()
        return tot
