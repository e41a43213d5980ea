# Lightning module after the migration to 2.x: one of the two lists is never emptied.
import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Glue(L.LightningModule):
    def __init__(self, width: int = 32, classes: int = 3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(width, 64), nn.GELU(), nn.Linear(64, classes))
        self.validation_step_outputs: list[dict[str, torch.Tensor]] = []
        self.test_step_outputs: list[torch.Tensor] = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self.net(x)
        output = {"val_loss": F.cross_entropy(logits, y), "val_accuracy": (logits.argmax(1) == y).float().mean()}
        self.validation_step_outputs.append(output)
        return output

    def on_validation_epoch_end(self):
        avg_loss = torch.stack([x["val_loss"] for x in self.validation_step_outputs]).mean()
        avg_acc = torch.stack([x["val_accuracy"] for x in self.validation_step_outputs]).mean()
        self.log_dict({"ptl/val_loss": avg_loss, "ptl/val_accuracy": avg_acc})
        self.validation_step_outputs.clear()

    def test_step(self, batch, batch_idx):
        x, y = batch
        self.test_step_outputs.append((self.net(x).argmax(1) == y).float().mean())

    def on_test_epoch_end(self):
        self.log("test_accuracy", torch.stack(self.test_step_outputs).mean())
        self.test_step_outputs.clear()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=2e-5)


if __name__ == "__main__":
    rows = TensorDataset(torch.randn(960, 32), torch.randint(3, (960,)))
    loader = DataLoader(rows, batch_size=32, num_workers=2)
    L.Trainer(max_epochs=3).fit(Glue(), loader, loader)
