# arrays, tensors and memory maps are a few large objects

import json

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Packed(Dataset):
    def __init__(self, path):
        records = [json.dumps(r).encode() for r in json.load(open(path))]
        self.offsets = torch.tensor([0] + [len(r) for r in records]).cumsum(0)
        self.blob = torch.frombuffer(bytearray(b"".join(records)), dtype=torch.uint8)
        self.names = np.array([str(i) for i in range(len(records))], dtype=np.bytes_)
        self.images = np.load("images.npy", mmap_mode="r")

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        entry = json.loads(bytes(self.blob[self.offsets[i] : self.offsets[i + 1]]))
        return torch.tensor(entry["x"]) + len(self.names[i]) + torch.from_numpy(self.images[i].copy())


net = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Packed("data.json"), batch_size=4, num_workers=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
