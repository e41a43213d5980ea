# `continue` between unscale_ and update

import torch


class Trainer:
    def __init__(self, model, limit):
        self.model = model.cuda()
        self.limit = limit
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def epoch(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = torch.nn.functional.mse_loss(self.model(x.cuda()), y.cuda())
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.limit)
            if norm > 100 * self.limit:
                print("passed over", norm.item())
                continue
            self.scaler.step(self.optimizer)
            self.scaler.update()  #! MEM303 error
