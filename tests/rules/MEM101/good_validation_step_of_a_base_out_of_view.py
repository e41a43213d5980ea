# what has a training_step is driven by Lightning, whose validation runs under no_grad

import torch
from speech.core import ModelPT
from torch import nn


class Features(ModelPT):
    def __init__(self, cfg):
        super().__init__(cfg)
        self.encoder = nn.GRU(80, 256)
        self.speaker = nn.Linear(256, 100)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, signal):
        out, _ = self.encoder(signal)
        return self.speaker(out[-1])

    def training_step(self, batch, batch_idx):
        loss = self.loss(self(batch["audio"]), batch["speaker"])
        self.manual_backward(loss)
        self.optimizers().zero_grad()
        self.optimizers().step()

    def validation_step(self, batch, batch_idx):
        loss_total = 0
        for key in batch:
            logits = self.forward(batch[key]["audio"])
            loss = self.loss(logits, batch[key]["speaker"])
            loss_total += loss
            correct = torch.argmax(logits, dim=1).eq(batch[key]["speaker"]).sum().item()
            self.log("accuracy", correct)
        self.log("val_loss", loss_total)
