import torch
from torch import nn


class Trainer:
    def __init__(self, model, loader, lr):
        self.model = model.cuda()
        self.loader = loader
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")
        self.crit = nn.CrossEntropyLoss()

    def _step(self, x, y):
        loss = self.crit(self.model(x), y)
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)  #! MEM302
        self.scaler.update()
        return loss.detach()

    def run_epoch(self):
        tot = 0.0
        with torch.autocast(device_type="cuda", dtype=torch.float16):  #= MEM302
            for x, y in self.loader:
                tot += self._step(x.cuda(), y.cuda()).item()
        return tot / len(self.loader)

    def fit(self, n):
        for _ in range(n):
            print(self.run_epoch())
