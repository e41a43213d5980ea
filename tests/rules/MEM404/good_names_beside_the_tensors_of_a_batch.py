# of each batch the names are kept, pair by pair: they are texts

import torch
from torch.utils.data import DataLoader


class Net:
    def epoch(self, loader: DataLoader, data):
        for batch in loader:
            out = self.net(batch["features"])
            mol = batch["mol"]
            fname, name = mol[0], mol[1]
            data["mol"] += [(f, m) for f, m in zip(fname, name)]
        return data

    def train(self, dataset):
        data = {"mol": []}
        self.epoch(DataLoader(dataset, 32), data)
        return data
