# workers are there

from torch.utils.data import DataLoader


def build(dataset, workers):
    first = DataLoader(dataset, 8, num_workers=4, prefetch_factor=4, persistent_workers=True)
    second = DataLoader(dataset, 8, num_workers=workers, persistent_workers=True, timeout=60)
    return first, second
