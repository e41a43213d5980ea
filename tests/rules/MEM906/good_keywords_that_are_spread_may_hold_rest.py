# keywords that are spread may hold the rest

from torch.utils.data import DataLoader


def build(dataset, **options):
    return DataLoader(dataset, persistent_workers=True, prefetch_factor=2, **options)
