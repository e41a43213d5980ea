# a few hundred items

import torch
from torch.utils.data import DataLoader, Dataset


class Toy(Dataset):
    def __init__(self, n=500):
        self.items = [{"x": torch.randn(4), "id": i} for i in range(n)]
        self.classes = ["cat", "dog"]
        self.extra = []
        for i in range(20):
            self.extra.append({"i": i})

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]["x"] + self.extra[i % 20]["i"] + len(self.classes[i % 2])


net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Toy(), batch_size=4, num_workers=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
