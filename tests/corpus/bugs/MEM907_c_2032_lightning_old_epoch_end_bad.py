# Written for Lightning 1.x: the hook still has its old name.
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BertHead(pl.LightningModule):
    def __init__(self, lr=1e-3):
        super().__init__()
        self.layer = nn.Linear(32, 2)
        self.lr = lr

    def forward(self, x):
        return self.layer(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return nn.functional.cross_entropy(self(x), y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        return {"val_loss": nn.functional.cross_entropy(self(x), y)}

    def validation_epoch_end(self, outputs):  #! MEM907
        self.log("val_loss", torch.stack([o["val_loss"] for o in outputs]).mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)


data = DataLoader(TensorDataset(torch.randn(640, 32), torch.randint(2, (640,))), batch_size=64)
pl.Trainer(max_epochs=1, accelerator="cpu").fit(BertHead(), data, data)
