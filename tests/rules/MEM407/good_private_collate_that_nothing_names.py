# nothing in the file hands it to a loader, and no other file may

import torch
from torch.utils.data import DataLoader
from torch.utils.data.dataloader import default_collate


def _collate(batch):
    return default_collate([x.to(torch.device("cuda:0")) for x in batch])


def batches(data):
    return DataLoader(data, batch_size=4, num_workers=2)
