"""A module of Lightning: EfficientNet-V2-S of torchvision, 16-mixed precision, validation, a scheduler."""

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import efficientnet_v2_s


class Pictures(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = efficientnet_v2_s(num_classes=100)

    def step(self, batch, name):
        pictures, labels = batch
        loss = torch.nn.functional.cross_entropy(self.net(pictures), labels)
        self.log(name, loss)
        return loss

    def training_step(self, batch, number):
        return self.step(batch, "train")

    def validation_step(self, batch, number):
        self.step(batch, "valid")

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), 1e-3)
        return [optimizer], [torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2)]


L.seed_everything(0)
data = TensorDataset(torch.rand(96, 3, 224, 224), torch.randint(0, 100, (96,)))
trainer = L.Trainer(
    max_epochs=1, accelerator="gpu", devices=1, precision="16-mixed", logger=False,
    enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
)  # fmt: skip
trainer.fit(Pictures(), DataLoader(data, 24, shuffle=True), DataLoader(data, 32))
