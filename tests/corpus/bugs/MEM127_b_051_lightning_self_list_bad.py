import lightning as L
import torch
import torch.nn.functional as F
from torch import nn


class LitClassifier(L.LightningModule):
    def __init__(self, hidden=256, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(784, hidden), nn.ReLU(), nn.Linear(hidden, 10))
        self.train_losses = []
        self.val_accs = []

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = F.cross_entropy(logits, y)
        self.train_losses.append(loss)  #! MEM127
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def on_train_epoch_end(self):
        avg = torch.stack(self.train_losses).mean()
        self.log("train_epoch_loss", avg)
        print(self.current_epoch, avg.item())

    def validation_step(self, batch, batch_idx):
        x, y = batch
        acc = (self(x).argmax(1) == y).float().mean()
        self.val_accs.append(acc)
        self.log("val_acc", acc)

    def on_validation_epoch_end(self):
        self.print(torch.stack(self.val_accs).mean())
        self.val_accs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr)


if __name__ == "__main__":
    from data import MNISTDataModule

    L.Trainer(max_epochs=10, accelerator="auto").fit(LitClassifier(), MNISTDataModule(num_workers=4))
