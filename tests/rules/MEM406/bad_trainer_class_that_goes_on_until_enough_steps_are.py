# trainer class that goes on until enough steps are done

import torch
from torch.utils import data


class Trainer:
    def __init__(self, dataset, model):
        self.loader = data.DataLoader(dataset, batch_size=16, num_workers=4, drop_last=True)  #! MEM406 advice
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.steps = 0

    def run(self, limit):
        while self.steps < limit:
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
                self.optimizer.step()
                self.steps += 1


Trainer(torch.randn(512, 8), torch.nn.Linear(8, 1)).run(1000)
