# Two loaders with four workers each: what MEM406 asks for.

from torch.utils.data import DataLoader


def loaders(train, val):
    a = DataLoader(train, batch_size=64, num_workers=4, persistent_workers=True, shuffle=True)
    b = DataLoader(val, batch_size=64, num_workers=4, persistent_workers=True)
    return a, b
