# the device is that of the ids, which the workers have on the CPU

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sampler(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, query, number, positives=None, device=None):
        if isinstance(query, int):
            count = query
            device = positives.device if positives is not None else device
        else:
            count, device = query.shape[0], query.device
        return torch.randint(1, self.size, size=(count, number), device=device)


class Items(Dataset):
    def __init__(self, ids):
        self.ids, self.sampler = ids, Sampler(100)

    def __getitem__(self, number):
        ids = self.ids[number]
        return ids, self.sampler(ids.view(-1, 1), 5, ids)

    def __len__(self):
        return len(self.ids)


def run(ids):
    net = nn.Linear(4, 2).cuda()
    for found, others in DataLoader(Items(ids), batch_size=4, num_workers=2):
        net(found.cuda())
