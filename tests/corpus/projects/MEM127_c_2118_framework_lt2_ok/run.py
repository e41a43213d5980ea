import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader
from core import LitBase


class Lit(LitBase):
    def __init__(self):
        super().__init__()
        self.m = nn.Linear(4, 2)

    def training_step(self, b, i):
        return nn.functional.mse_loss(self.m(b[0]), b[1])

    def validation_step(self, b, i):
        self.log("v", nn.functional.mse_loss(self.m(b[0]), b[1]))

    def test_step(self, b, i):
        out = self.m(b[0])
        self.log("t", out.mean())

    def predict_step(self, b, i):
        return self.m(b[0])


if __name__ == "__main__":
    ds = torch.utils.data.TensorDataset(torch.randn(8, 4), torch.randn(8, 2))
    pl.Trainer(max_epochs=1, accumulate_grad_batches=4).fit(Lit(), DataLoader(ds, 4), DataLoader(ds, 4))
