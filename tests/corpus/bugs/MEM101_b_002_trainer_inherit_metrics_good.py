import logging
from abc import ABC, abstractmethod
from collections import defaultdict

import torch

log = logging.getLogger(__name__)


class BaseTrainer(ABC):
    def __init__(self, model, optimizer, cfg):
        self.model = model
        self.optimizer = optimizer
        self.cfg = cfg
        self.device = torch.device(cfg["device"])
        self.model.to(self.device)

    @abstractmethod
    def compute_losses(self, batch):
        ...

    def fit(self, loader):
        for epoch in range(self.cfg["epochs"]):
            logs = self._train_epoch(loader)
            log.info("epoch %d: %s", epoch, {k: float(v) for k, v in logs.items()})

    def _train_epoch(self, loader):
        self.model.train()
        sums = defaultdict(float)
        for batch in loader:
            batch = {k: v.to(self.device) for k, v in batch.items()}
            losses = self.compute_losses(batch)
            total = sum(losses.values())
            self.optimizer.zero_grad()
            total.backward()
            self.optimizer.step()
            for name, value in losses.items():
                sums[name] += value.item()
        return {k: v / len(loader) for k, v in sums.items()}


class DepthTrainer(BaseTrainer):
    def compute_losses(self, batch):
        pred = self.model(batch["image"])
        l1 = (pred - batch["depth"]).abs().mean()
        grad = (pred[..., 1:] - pred[..., :-1]).abs().mean()
        return {"l1": l1, "smooth": self.cfg["lambda_smooth"] * grad}


def build(cfg):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(16, 1, 3, padding=1))
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    return DepthTrainer(model, opt, cfg)
