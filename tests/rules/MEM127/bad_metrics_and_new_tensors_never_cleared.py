# metrics of torchmetrics, and tensors that the hook makes, never cleared

import lightning as L
import torch
import torchmetrics


class Net(L.LightningModule):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.auroc = torchmetrics.AUROC(task="binary")
        self.aucs = []
        self.outputs = []
        self.means = []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self.model(x)
        auc = self.auroc(torch.argmax(logits, dim=1), y)
        self.aucs.append(auc)  #! MEM127 warning
        errors = torch.zeros(len(x), device=self.device)
        metrics = {"mse_loss": errors.mean()}
        self.outputs.append(metrics)  #! MEM127 warning
        self.means.append(errors.mean())  #! MEM127 warning

    def on_validation_epoch_end(self):
        self.log("auc", torch.stack(self.aucs).mean())
        self.log("mse", torch.stack([kept["mse_loss"] for kept in self.outputs]).mean())
        self.log("mean", torch.stack(self.means).mean())
