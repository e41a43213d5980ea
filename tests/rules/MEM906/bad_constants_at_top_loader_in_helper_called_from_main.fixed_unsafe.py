# constants at the top, the loader in a helper called from main

import torch
from torch.utils.data import DataLoader

BATCH = 64
WORKERS = 0


def loader(dataset):
    return DataLoader(
        dataset,
        batch_size=BATCH,
        num_workers=WORKERS,
        pin_memory=True,
    )


def main():
    tiny = [torch.zeros(3) for _ in range(10)]
    few = list(loader(tiny))
    none = DataLoader(torch.utils.data.TensorDataset(torch.randn(40, 3)), BATCH)
    whole = DataLoader(tiny, batch_size=None)
    print(few, none, whole)


main()
