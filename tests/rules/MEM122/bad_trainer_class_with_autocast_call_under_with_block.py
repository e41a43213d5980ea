# trainer class with autocast, the call under the with block, many parameters

import torch
import torch.nn as nn


class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(8192, 8192), nn.ReLU(), nn.Linear(8192, 16))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        self.scaler = torch.amp.GradScaler("cuda")

    def fit(self, loader):
        for step, batch in enumerate(loader):
            x, y = batch
            with torch.autocast("cuda"):
                logits = self.model(x)
                loss = nn.functional.cross_entropy(logits, y)
            self.optimizer.zero_grad(set_to_none=True)  #! MEM122 warning
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()


Trainer().fit([(torch.randn(2, 8192), torch.tensor([1, 2]))] * 4)
