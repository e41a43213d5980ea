# The data set says how large a sample is: 64 MiB; eight of them wait for each of eight workers.

import torch
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __len__(self):
        return 400

    def __getitem__(self, index):
        volume = torch.rand(1, 256, 256, 256)
        return volume, torch.zeros(3)


def main(model, optimizer):
    settings = {"num_workers": 8, "pin_memory": True}
    loader = DataLoader(Scans(), batch_size=4, **settings)  #! MEM409 warning
    for x, y in loader:
        loss = (model(x.cuda()) - y.cuda()).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
