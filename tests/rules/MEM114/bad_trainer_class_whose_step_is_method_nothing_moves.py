# trainer class whose step is a method; nothing moves across methods

import torch


class Trainer:
    def __init__(self):
        self.model = torch.nn.Linear(8, 80_000)
        self.optimizer = torch.optim.AdamW(self.model.parameters())

    def train_batch(self, x):
        self.optimizer.zero_grad()  #! MEM114 advice
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.optimizer.step()

    def validate(self, batches):
        self.model.eval()
        with torch.no_grad():
            return [self.model(x).sum().item() for x in batches]

    def run(self, train_batches, val_batches):
        for epoch in range(2):
            self.model.train()
            for x in train_batches:
                self.train_batch(x)
            print(self.validate(val_batches))


Trainer().run(torch.randn(4, 2, 8), torch.randn(2, 200, 8))
