# A network of another file gives its loss and a dictionary for the log, which holds numbers

import collections

from nets import build


def train(config, optimizer, loader):
    network, kept = build(config).cuda(), collections.defaultdict(list)
    for images, targets in loader:
        optimizer.zero_grad()
        loss, losses_log_dict = network(images.cuda(), targets.cuda())
        for name, value in losses_log_dict.items():
            kept[name].append(value)
        loss.backward()
        optimizer.step()
    return {name: sum(values) / len(values) for name, values in kept.items()}
