# The literal is an upper bound only.

import os

from torch.utils.data import DataLoader


def loader(rows):
    count = min(48, os.cpu_count() or 1)
    return DataLoader(rows, batch_size=64, num_workers=count)
