# a device that the caller must say, whatever that of the ids is

import torch
from torch.utils.data import DataLoader, Dataset


class Items(Dataset):
    def __init__(self, ids, device):
        self.ids, self.device = ids, device

    def __getitem__(self, number):
        ids = self.ids[number]
        return ids, torch.randint(1, 100, size=(5,), device=self.device)  #! MEM407 warning

    def __len__(self):
        return len(self.ids)


def run(ids, device):
    net = torch.nn.Linear(4, 2).to(device)
    for found, others in DataLoader(Items(ids, device), batch_size=4, num_workers=2):
        net(found.to(device))
