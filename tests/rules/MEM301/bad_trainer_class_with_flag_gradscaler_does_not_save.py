# trainer class with a flag; a GradScaler does not save it

import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr, fp16=True):
        self.model = model.cuda()
        if fp16:
            self.model.half()  #! MEM301 error
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda", enabled=fp16)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


trainer = Trainer(nn.Linear(8, 1), 1e-3)
for _ in range(100):
    trainer.step(torch.randn(4, 8).cuda().half(), torch.randn(4, 1).cuda().half())
