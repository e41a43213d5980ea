# numbers of metrics and of tensors that the hook makes, and texts

import lightning as L
import torch
import torchmetrics


class Net(L.LightningModule):
    def __init__(self, model, tokenizer):
        super().__init__()
        self.model = model
        self.tokenizer = tokenizer
        self.texts = []
        self.auroc = torchmetrics.AUROC(task="binary")
        self.numbers = []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        auc = self.auroc(self.model(x), y)
        errors = torch.zeros(len(x), device=self.device)
        self.numbers.append(auc.item())
        self.numbers.append({"mse_loss": float(errors.mean()), "auc": auc.item()})
        self.numbers.append(errors.mean().item())
        self.texts.append(self.tokenizer.decode(y))
        self.texts.extend(self.tokenizer.batch_decode(batch["target"]))

    def on_validation_epoch_end(self):
        self.log("auc", sum(n for n in self.numbers if isinstance(n, float)))
