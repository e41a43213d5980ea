# dictionaries of a few pinned tensors each: the tensors are the bulk, the objects beside them are few

import torch
from torch.utils.data import DataLoader, Dataset


class Ready(Dataset):
    def __init__(self, batches):
        self.batches = [{name: value.pin_memory() for name, value in batch.items()} for batch in batches]

    def __len__(self):
        return len(self.batches)

    def __getitem__(self, index):
        return self.batches[index]


loader = DataLoader(Ready(torch.load("batches.pt")), batch_size=None, num_workers=4)
for batch in loader:
    print(batch["x"].sum())
