# the state comes back from code out of view in each turn, with the graph of the turns before

import torch
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, model, optimizer, loader, cell):
        self.model = model.to("cuda")
        self.optimizer = optimizer
        self.loader = loader
        self.cell = cell

    def epoch(self):
        state = None
        for x, y in self.loader:
            out, state = self.cell.step(x.cuda(), state)
            loss = mse_loss(self.model(out), y.cuda())
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)
            self.optimizer.step()
        torch.save(self.model.state_dict(), "last.pt")
