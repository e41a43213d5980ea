# positional False on a module, in a trainer class

import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())

    def step(self, x):
        self.model.zero_grad(False)  #! MEM123 advice
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()


trainer = Trainer(torch.nn.Linear(3, 3))
print([trainer.step(torch.randn(2, 3)) for _ in range(3)])
