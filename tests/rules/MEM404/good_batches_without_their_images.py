# What is heavy is taken out of each batch, and what a network made of it put in: results by their names.

import torch
from torch.utils.data import DataLoader


class Processor:
    def __init__(self, model, device):
        self.model, self.device = model, device

    def infer(self, crops):
        found = []
        with torch.no_grad():
            for batch in DataLoader(crops, batch_size=8, pin_memory=True):
                polygons = self.model.test(batch["images"].to(self.device))
                batch.pop("images")
                batch["polygons"] = polygons
                found.append(batch)
        return {key: torch.concat([batch[key] for batch in found]) for key in found[0]}


def labels(dataset):
    kept = []
    for batch in DataLoader(dataset, batch_size=8):
        del batch["images"]
        kept.append(batch)
    return kept
