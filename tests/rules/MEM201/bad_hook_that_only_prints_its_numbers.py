# the hook of the class writes what it is given, and does not differentiate it

import torch.nn.functional as F


class Evaluation:
    def __init__(self, model, device):
        self.model, self.device = model, device

    def on_loss(self, loss):
        print(f"loss {loss:.4f}")

    def epoch(self, loader):
        self.model.eval()
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(self.model(x.to(self.device)), y.to(self.device))  #! MEM201 error
            self.on_loss(loss)
            total += loss.item()
        return total / len(loader)
