# a sampler from the caller is None for all that the file shows

from torch.utils.data import DataLoader


def build(dataset, sampler=None, batch_sampler=None):
    if batch_sampler is not None:
        return DataLoader(dataset, batch_sampler=batch_sampler)
    if sampler is None:
        return DataLoader(dataset, batch_size=8, shuffle=True, sampler=sampler)
    return DataLoader(dataset, batch_size=8, sampler=sampler, batch_sampler=batch_sampler)
