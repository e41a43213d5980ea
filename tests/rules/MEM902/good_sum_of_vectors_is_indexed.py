# one loss for each sample has a dimension, and so has a sum of such

from torch import nn


def evaluate(model, batches):
    criterion = nn.CrossEntropyLoss(reduction="none")
    total = 0
    for data, targets in batches:
        total += criterion(model(data), targets).data
    return total[0]
