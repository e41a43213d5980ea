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
        timeout=30,  #! MEM906 error
        pin_memory=True,
        pin_memory_device="cuda",  #! MEM906 warning
    )


def main():
    tiny = [torch.zeros(3) for _ in range(10)]
    few = list(loader(tiny))
    none = DataLoader(torch.utils.data.TensorDataset(torch.randn(40, 3)), BATCH, drop_last=True)  #! MEM906 warning
    whole = DataLoader(tiny, batch_size=None, drop_last=True)  #! MEM906 error
    print(few, none, whole)


main()
