# a list that is spread over a fixed number of names: the loader has no more batches than these

from torch.utils.data import DataLoader, random_split


def sample(dataset, size):
    chosen, _ = random_split(dataset, [size, len(dataset) - size])
    loader = DataLoader(chosen, batch_size=size, shuffle=True)
    [samples] = list(loader)
    return samples


def halves(dataset):
    first, second = tuple(DataLoader(dataset, batch_size=(len(dataset) + 1) // 2))
    return first, second
