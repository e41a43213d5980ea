"""A LightningModule that keeps the loss of every training step."""

import lightning as L
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 10))
        self.curve = []

    def training_step(self, batch, index):
        inputs, labels = batch
        loss = F.cross_entropy(self.net(inputs), labels)
        self.curve.append(loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    data = TensorDataset(torch.randn(1280, 32), torch.randint(0, 10, (1280,)))
    trainer = L.Trainer(accelerator="cpu", devices=1, max_epochs=2, enable_progress_bar=False, logger=False)
    trainer.fit(Classifier(), DataLoader(data, batch_size=32))
