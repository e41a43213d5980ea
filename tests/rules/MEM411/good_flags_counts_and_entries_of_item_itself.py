# flags, counts and entries of the item itself

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, rows):
        self.rows, self.seen, self.sizes = rows, {}, [0] * len(rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        sample = {"x": self.rows[i]}
        sample["y"] = sample["x"].sum()
        self.seen[i] = True
        self.sizes[i] = len(sample["x"])
        return sample


net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in DataLoader(Rows(torch.randn(100, 4)), batch_size=2, num_workers=4):
    opt.zero_grad()
    (net(batch["x"])[:, 0] - batch["y"]).square().mean().backward()
    opt.step()
