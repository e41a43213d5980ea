# code out of view makes the input again for each batch: no graph is older than the step

import torch
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, model, optimizer, loader, tools):
        self.model = model.to("cuda")
        self.optimizer = optimizer
        self.loader = loader
        self.tools = tools

    def epoch(self):
        for x, y in self.loader:
            features = self.tools.spectrum(x.cuda())
            loss = mse_loss(self.model(features), y.cuda())
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)  #! MEM108 warning
            self.optimizer.step()
        torch.save(self.model.state_dict(), "last.pt")
