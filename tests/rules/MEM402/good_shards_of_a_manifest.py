# an entry for each file of thousands of samples: there are few of them

import json

import torch
from torch.utils.data import DataLoader, Dataset


class Sharded(Dataset):
    def __init__(self, path):
        with open(path) as file:
            manifest = json.load(file)
        self.size = manifest["size"]
        self.shards = list(manifest["shards"])

    def __getitem__(self, index):
        shard = torch.load(self.shards[index // self.size]["file"])
        return shard[index % self.size]

    def __len__(self):
        return len(self.shards) * self.size


loader = DataLoader(Sharded("manifest.json"), batch_size=8, num_workers=4)
