import gc

import torch


def is_oom(err):
    return "out of memory" in str(err)


class Runner:
    def __init__(self, cfg, model, optimizer):
        self.cfg, self.model, self.optimizer = cfg, model.cuda(), optimizer

    def step(self, x, y):
        self.optimizer.zero_grad()
        try:
            loss = torch.nn.functional.l1_loss(self.model(x.cuda()), y.cuda())
            loss.backward()
        except RuntimeError as err:
            if not is_oom(err):
                raise
            gc.collect()
            torch.cuda.empty_cache()
            return None
        self.optimizer.step()
        return loss.item()

    def fit(self, loader):
        for epoch in range(self.cfg.epochs):
            for i, (x, y) in enumerate(loader):
                self.step(x, y)
                if i == 0 or (i + 1) % 2000 == 0:
                    torch.cuda.empty_cache()
                if self.cfg.empty_cache_every and i % self.cfg.empty_cache_every == 0:
                    torch.cuda.empty_cache()
            self.validate(loader)

    @torch.no_grad()
    def validate(self, loader):
        torch.cuda.empty_cache()
        hits = [float((self.model(x.cuda()) - y.cuda()).abs().mean()) for x, y in loader]
        gc.collect()
        return sum(hits)
