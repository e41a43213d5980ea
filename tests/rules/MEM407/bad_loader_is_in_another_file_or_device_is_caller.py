# the loader is in another file, or the device is the caller's

import torch
from torch.utils.data import DataLoader, IterableDataset, Dataset


class Patches(Dataset):
    def __init__(self, volumes):
        self.volumes = volumes

    def __len__(self):
        return len(self.volumes)

    def __getitem__(self, i):
        return torch.from_numpy(self.volumes[i]).float().cuda()  #! MEM407 warning


class Stream(IterableDataset):
    def __init__(self, source, device):
        self.source, self.device = source, device

    def __iter__(self):
        for item in self.source:
            yield torch.tensor(item).to(self.device)  #! MEM407 warning


def stream_loader(source, device):
    device = torch.device(device)
    return DataLoader(Stream(source, device), batch_size=16, num_workers=3)
