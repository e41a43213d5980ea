# One entry for each covariate, or for each of nine features: an item goes through all of them.

import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset


class Cells(Dataset):
    def __init__(self, table, covariates):
        self.x = torch.from_numpy(table.to_numpy())
        self.covariates = {}
        for name in covariates:
            values = np.array(table[name])
            self.covariates[name] = torch.tensor([hash(v) % 100 for v in values])

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], {name: self.covariates[name][i] for name in self.covariates}


class Recordings(Dataset):
    FEATURES = ["rr_interval", "p_onset", "p_end", "qrs_onset"]

    def __init__(self, root):
        self.table = torch.load(f"{root}/table.pt")
        self.measure(pd.read_csv(f"{root}/measurements.csv"))

    def measure(self, measurements):
        self.stats = {}
        for name in self.FEATURES:
            values = measurements[name].values
            self.stats[name] = {"mean": float(np.mean(values)), "std": float(np.std(values))}

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        row, out = self.table[i], []
        for j, name in enumerate(self.FEATURES):
            out.append((row[j] - self.stats[name]["mean"]) / self.stats[name]["std"])
        return torch.stack(out)


for data in (Cells(pd.read_csv("cells.csv"), ["donor", "batch"]), Recordings("ecg")):
    for batch in DataLoader(data, batch_size=64, num_workers=4):
        print(batch)
