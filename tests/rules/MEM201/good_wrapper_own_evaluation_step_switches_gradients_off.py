# the wrapper's own evaluation step switches gradients off; its loss runs no network

import torch


def average_loss(net, data, targets):
    loader = net.get_iterator(net.get_dataset(data, targets), training=False)
    total, count = 0.0, 0
    for batch in loader:
        predicted = net.evaluation_step(batch, training=False)
        loss = net.get_loss(predicted, batch[1])
        total += loss.item() * len(batch[1])
        count += len(batch[1])
    return total / count
