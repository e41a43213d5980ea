# the names of today

import lightning as L
import torch
from transformers import TrainingArguments


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.outputs = []

    def validation_step(self, batch, batch_idx):
        self.outputs.append(self(batch).detach())

    def on_validation_epoch_end(self):
        self.log("mean", torch.cat(self.outputs).mean())
        self.outputs.clear()


trainer = L.Trainer(accelerator="gpu", devices=1, precision="16-mixed")
arguments = TrainingArguments("out", eval_strategy="steps", use_cpu=False, per_device_train_batch_size=4)
