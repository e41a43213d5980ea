# the arguments depend on the number of workers

from torch.utils.data import DataLoader

WORKERS = 0


def build(dataset, workers=0):
    return DataLoader(
        dataset,
        num_workers=workers,
        persistent_workers=workers > 0,
        prefetch_factor=2 if workers else None,
        multiprocessing_context=None,
    ), DataLoader(dataset, num_workers=WORKERS, prefetch_factor=None, persistent_workers=False, timeout=0)
