# method of trainer with scaler

import torch
from torch.optim import Adam


class Trainer:
    def __init__(self, model, lr):
        self.model = model.cuda()
        self.scaler = torch.amp.GradScaler("cuda")
        self.optimizer = Adam(
            self.model.parameters(),
            lr=lr,
            fused=True,
        )

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = torch.nn.functional.mse_loss(self.model(x.cuda()), y.cuda())
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
