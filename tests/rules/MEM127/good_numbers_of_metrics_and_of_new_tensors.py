# numbers of metrics and of tensors that the hook makes

import lightning as L
import torch
import torchmetrics


class Net(L.LightningModule):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.auroc = torchmetrics.AUROC(task="binary")
        self.numbers = []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        auc = self.auroc(self.model(x), y)
        errors = torch.zeros(len(x), device=self.device)
        self.numbers.append(auc.item())
        self.numbers.append({"mse_loss": float(errors.mean()), "auc": auc.item()})
        self.numbers.append(errors.mean().item())

    def on_validation_epoch_end(self):
        self.log("auc", sum(n for n in self.numbers if isinstance(n, float)))
