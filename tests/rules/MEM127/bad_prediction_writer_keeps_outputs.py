# a writer of predictions is a callback

import torch
from lightning.pytorch.callbacks import BasePredictionWriter


class Writer(BasePredictionWriter):
    def __init__(self):
        super().__init__(write_interval="epoch")
        self.predictions = []

    def on_predict_batch_end(self, trainer, pl_module, outputs, batch, batch_idx, dataloader_idx=0):
        self.predictions.append(outputs["logits"])  #! MEM127 advice

    def on_predict_epoch_end(self, trainer, pl_module):
        torch.save(torch.cat(self.predictions), "predictions.pt")
