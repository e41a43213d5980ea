import torch
from torch.utils.data import Dataset


class Coco(Dataset):
    def __init__(self, split):
        self.items = torch.load(f"{split}.pt")

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]["image"], self.items[i]["target"]
