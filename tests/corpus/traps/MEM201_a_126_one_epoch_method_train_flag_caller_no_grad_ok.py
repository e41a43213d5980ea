import torch
import torch.nn.functional as F


class Solver:
    def __init__(self, loaders, model, optimizer):
        self.loaders, self.model, self.optimizer = loaders, model, optimizer

    def train(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            metrics = {"train": self._run_one_epoch(epoch)}
            self.model.eval()
            with torch.no_grad():
                metrics["valid"] = self._run_one_epoch(epoch, train=False)
            print(epoch, metrics)

    def _run_one_epoch(self, epoch, train=True):
        loader = self.loaders["train"] if train else self.loaders["valid"]
        total = 0.0
        for mix, sources in loader:
            estimate = self.model(mix)
            loss = F.l1_loss(estimate, sources)
            if train:
                loss.backward()
                grad_norm = 0
                for p in self.model.parameters():
                    if p.grad is not None:
                        grad_norm += p.grad.data.norm() ** 2
                self.optimizer.step()
                self.optimizer.zero_grad()
            total += loss.item()
            del loss, estimate
        return total / len(loader)
