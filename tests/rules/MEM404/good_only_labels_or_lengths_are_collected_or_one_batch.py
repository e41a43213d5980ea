# only labels or lengths are collected, or one batch is taken

import torch


def label_statistics(train_loader):
    labels = [y for _, y in train_loader]
    lengths = [len(batch[0]) for batch in train_loader]
    targets = []
    for x, y in train_loader:
        targets.append(y)
    first = next(iter(train_loader))
    return torch.cat(labels).bincount(), sum(lengths), torch.cat(targets), first[0].shape
