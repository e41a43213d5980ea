# `.data.clone()` copies on the device of the model as well.

import torch


class Trainer:
    def __init__(self, model, loader):
        self.model = model.cuda()
        self.loader = loader
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.best, self.best_weights = 0.0, {}

    def step(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(self.model(x.cuda()), y.cuda())
        loss.backward()
        self.opt.step()

    def run(self, epochs, accuracy):
        for _ in range(epochs):
            for x, y in self.loader:
                self.step(x, y)
            if accuracy(self.model) > self.best:
                self.best = accuracy(self.model)
                self.best_weights = {k: v.data.clone() for k, v in self.model.state_dict().items()}  #! MEM704 warning
        self.model.load_state_dict(self.best_weights)
