# all gradients in one vector, method of a trainer class

import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, batches):
        for x in batches:
            self.optimizer.zero_grad()
            self.model(x).sum().backward()
            flat = torch.cat([p.grad.flatten() for p in self.model.parameters()])  #! MEM113 advice
            print(flat.norm().item())
            self.optimizer.step()


Trainer(torch.nn.Linear(40, 40)).fit(torch.randn(5, 2, 40))
