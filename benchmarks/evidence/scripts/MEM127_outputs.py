# claim: GROWTH, expected: confirmed (the list is read when an epoch ends and never cleared)
# needs: lightning
import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 4))
        self.outputs = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        out = self.net(x)
        self.outputs.append(out)
        return nn.functional.cross_entropy(out, y)

    def on_train_epoch_end(self):
        self.log("mean", torch.cat(self.outputs).mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


lightning.seed_everything(0)
dataset = TensorDataset(torch.randn(4_000, 32), torch.randint(0, 4, (4_000,)))
trainer = lightning.Trainer(
    max_epochs=2,
    accelerator="auto",
    devices=1,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Classifier(), DataLoader(dataset, batch_size=64))
