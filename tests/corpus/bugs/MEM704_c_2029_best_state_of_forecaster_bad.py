# A forecasting base class with early stopping that returns to its best weights.
import logging
from abc import ABC, abstractmethod

import torch
from torch import nn

logger = logging.getLogger(__name__)


class BaseNN(ABC):
    def __init__(self, epochs, patience=5):
        self.epochs, self.patience = epochs, patience
        self.model = self.optimizer = None
        self.best_model_dict = None
        self.best_loss = float("inf")

    @abstractmethod
    def build(self): ...

    def _train_model(self, training, val):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            for x, y in training:
                self.optimizer.zero_grad()
                loss = nn.functional.l1_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            self.model.eval()
            with torch.no_grad():
                mean_loss = sum(nn.functional.l1_loss(self.model(x), y).item() for x, y in val) / len(val)
            if mean_loss < self.best_loss:
                self.best_loss = mean_loss
                self.best_model_dict = self.model.state_dict()  #! MEM704
                patience = self.patience
            else:
                patience -= 1
            logger.info("epoch %d %.4f", epoch, mean_loss)
            if not patience:
                break
        self.model.load_state_dict(self.best_model_dict)


class Forecaster(BaseNN):
    def build(self):
        self.model = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        return self


data = [(x, x[:, -1:] * 0.9) for x in torch.randn(30, 16, 24)]
Forecaster(epochs=20).build()._train_model(data[:20], data[20:])
