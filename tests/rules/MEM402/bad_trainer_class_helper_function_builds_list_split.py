# trainer class, a helper function builds the list, a split stands between

import csv
import os

import torch
from torch.utils.data import DataLoader, Dataset, random_split


def read_rows(path):
    rows = []
    with open(path, newline="") as handle:
        for row in csv.DictReader(handle):
            rows.append(row)
    return rows


class Table(Dataset):
    def __init__(self, path):
        super().__init__()
        self.rows: list[dict] = read_rows(path)  #! MEM402 warning

    def __len__(self):
        return len(self.rows)

    def features(self, index):
        return [float(v) for k, v in self.rows[index].items() if k != "y"]

    def __getitem__(self, index):
        return torch.tensor(self.features(index)), float(self.rows[index]["y"])


class Experiment:
    def __init__(self, path):
        self.train_set, self.test_set = random_split(Table(path), [0.8, 0.2])
        self.net = torch.nn.Linear(12, 1)
        self.opt = torch.optim.Adam(self.net.parameters())

    def run(self):
        for x, y in DataLoader(self.train_set, batch_size=64, num_workers=os.cpu_count()):
            self.opt.zero_grad()
            (self.net(x)[:, 0] - y).square().mean().backward()
            self.opt.step()


Experiment("table.csv").run()
