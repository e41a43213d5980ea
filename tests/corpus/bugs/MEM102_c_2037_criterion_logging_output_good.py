# Sequence criterion in the manner of translation toolkits: loss, sample size and a dict for the log.
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class MaskedLmLoss(nn.Module):
    def forward(self, model, sample, reduce=True):
        masked = sample["target"].ne(0)
        logits = model(sample["net_input"])[masked]
        loss = F.cross_entropy(logits, sample["target"][masked], reduction="sum" if reduce else "none")
        sample_size = int(masked.sum())
        logging_output = {
            "loss": loss.data,
            "ntokens": sample["target"].numel(),
            "sample_size": sample_size,
        }
        return loss, sample_size, logging_output

    @staticmethod
    def reduce_metrics(logging_outputs):
        size = sum(log["sample_size"] for log in logging_outputs)
        return OrderedDict(loss=float(sum(log["loss"] for log in logging_outputs)) / size)


class Trainer(object):
    def __init__(self, model, criterion):
        self.model, self.criterion = model, criterion
        self.optimizer = torch.optim.Adam(model.parameters(), 1e-3)

    def train_step(self, sample):
        self.model.train()
        self.optimizer.zero_grad()
        loss, size, log = self.criterion(self.model, sample)
        (loss / size).backward()
        self.optimizer.step()
        return log


def main():
    model = nn.Sequential(nn.Embedding(200, 32), nn.TransformerEncoderLayer(32, 2, 64, batch_first=True), nn.Linear(32, 200))
    trainer = Trainer(model, MaskedLmLoss())
    logs = []
    for update in range(500):
        tokens = torch.randint(1, 200, (8, 20))
        target = tokens * (torch.rand(8, 20) < 0.2)
        logs.append(trainer.train_step({"net_input": tokens, "target": target}))
        if update % 250 == 249:
            print(update, MaskedLmLoss.reduce_metrics(logs))


main()
