# method of a trainer class: the loss was never scaled

import torch
from torch import nn


class Trainer:
    def __init__(self, width):
        self.model = nn.GRUCell(width, width).cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def train_batch(self, batch):
        self.optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = self.model(batch).abs().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


trainer = Trainer(24)
for epoch in range(10):
    trainer.train_batch(torch.randn(6, 24).cuda())
