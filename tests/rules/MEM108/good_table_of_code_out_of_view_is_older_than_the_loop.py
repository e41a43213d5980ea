# the table may have a graph of its own, which each backward of the loop goes through

import torch
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, model, optimizer, loader, tools):
        self.model = model.to("cuda")
        self.optimizer = optimizer
        self.loader = loader
        self.tools = tools

    def epoch(self):
        table = self.tools.table()
        for x, y in self.loader:
            features = self.tools.look_up(table, x.cuda())
            loss = mse_loss(self.model(features), y.cuda())
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)
            self.optimizer.step()
        torch.save(self.model.state_dict(), "last.pt")
