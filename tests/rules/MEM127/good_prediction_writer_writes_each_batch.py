# what each batch gave goes to a file, or the list ends with the epoch

import torch
from lightning.pytorch.callbacks import BasePredictionWriter


class Writer(BasePredictionWriter):
    def __init__(self):
        super().__init__(write_interval="batch")
        self.files = []

    def on_predict_batch_end(self, trainer, pl_module, outputs, batch, batch_idx, dataloader_idx=0):
        name = f"predictions_{batch_idx}.pt"
        torch.save(outputs["logits"], name)
        self.files.append(name)


class AtTheEnd(BasePredictionWriter):
    def __init__(self):
        super().__init__(write_interval="epoch")
        self.predictions = []

    def on_predict_batch_end(self, trainer, pl_module, outputs, batch, batch_idx, dataloader_idx=0):
        self.predictions.append(outputs["logits"].cpu())

    def on_predict_epoch_end(self, trainer, pl_module):
        torch.save(torch.cat(self.predictions), "predictions.pt")
        self.predictions.clear()
