# the lists are filled by a method, then each becomes one tensor

import torch
from torch.utils.data import DataLoader, Dataset


class Timings(Dataset):
    def __init__(self, records):
        self.records = tuple(records)
        self.features = []
        self.times = []
        self._extract()
        self.features = torch.tensor(self.features, dtype=torch.float32)
        self.times = torch.tensor(self.times, dtype=torch.float32).reshape(-1, 1)

    def _extract(self):
        for record in self.records:
            self.features.append([record["m"], record["n"]])
            self.times.append({"time": record["time"]}["time"])

    def __len__(self):
        return len(self.times)

    def __getitem__(self, i):
        return self.features[i], self.times[i]


loader = DataLoader(Timings(open("records.json")), batch_size=256, num_workers=4)
