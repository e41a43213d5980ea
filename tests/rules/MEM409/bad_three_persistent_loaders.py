# No loader is too much alone; the workers of all three stay.

from torch.utils.data import DataLoader


def loaders(train, val, test):
    a = DataLoader(train, batch_size=64, num_workers=16, persistent_workers=True, shuffle=True)
    b = DataLoader(val, batch_size=64, num_workers=16, persistent_workers=True)
    c = DataLoader(test, batch_size=64, num_workers=16, persistent_workers=True)  #! MEM409 advice
    return a, b, c
