# a data set takes samples out of what is called a loader, and a list times a number has no new elements

from torch.utils import data


class Masked(data.Dataset):
    def __init__(self, text_loader, mask_loader):
        self.texts = text_loader
        self.masks = mask_loader

    def __getitem__(self, index):
        mask, spans = [], self.masks[index]
        for number, length in enumerate(spans):
            mask += [number % 2] * length
        return {"tokens": self.texts[index], "mask": mask}


def ones_for_lengths(loader):
    flags = []
    for lengths in loader:
        for length in lengths:
            flags += length * [1]
    return flags
