# asked for its length, the loader loads nothing

from torch.utils.data import DataLoader


def epochs(dataset, steps):
    loader = DataLoader(dataset, batch_size=8)
    for _ in loader:
        pass
    return steps // len(loader)
