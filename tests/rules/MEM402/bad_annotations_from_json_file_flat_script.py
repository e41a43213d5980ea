# annotations from a JSON file, flat script

import json

import torch
from torch.utils.data import DataLoader, Dataset


class Captions(Dataset):
    def __init__(self, path):
        with open(path) as f:
            self.annotations = json.load(f)["annotations"]  #! MEM402 warning

    def __len__(self):
        return len(self.annotations)

    def __getitem__(self, i):
        entry = self.annotations[i]
        return torch.tensor(entry["tokens"])


loader = DataLoader(Captions("captions.json"), batch_size=1, num_workers=8)
net = torch.nn.Embedding(1000, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in loader:
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
