# an option, or the class, says that the batches are to stay in memory

import sys

from torch.utils.data import DataLoader


class Loader:
    def __init__(self, dataset, cache=True):
        self.loader = DataLoader(dataset, batch_size=sys.maxsize)
        self.cache = cache
        self.preloaded = None

    def __iter__(self):
        if not self.cache:
            return iter(self.loader)
        if not self.preloaded:
            self.preloaded = [batch for batch in self.loader]
        return iter(self.preloaded)


class IntermediatesCache:
    def __init__(self, intermediates):
        self.intermediates = intermediates

    @classmethod
    def from_dataloader(cls, dataloader: DataLoader, device):
        kept = [{key: value.to(device) for key, value in batch.items()} for batch in dataloader]
        return cls(kept)


def batches(dataset, in_memory=False):
    loader = DataLoader(dataset, batch_size=32)
    if in_memory:
        return list(loader)
    return loader


def calibration(loader: DataLoader, options):
    if options.cache_data:
        kept = []
        for batch in loader:
            kept.append(batch)
        return kept
    return loader
