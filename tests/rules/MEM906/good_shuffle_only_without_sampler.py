# shuffle only without a sampler

from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def build(dataset, distributed):
    sampler = DistributedSampler(dataset, shuffle=True) if distributed else None
    first = DataLoader(dataset, shuffle=sampler is None, sampler=sampler)
    second = DataLoader(dataset, shuffle=False, sampler=RandomSampler(dataset))
    third = DataLoader(dataset, shuffle=True, sampler=None)
    return first, second, third
