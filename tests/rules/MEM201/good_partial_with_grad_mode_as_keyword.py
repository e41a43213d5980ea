# The grad mode is what partial has bound as a keyword

from functools import partial

import torch


def hits(net, batches, *, recording):
    net.train(recording)
    found = 0
    with torch.set_grad_enabled(recording):
        for images, labels in batches:
            found += (net(images.cuda()).argmax(1) == labels.cuda()).sum().item()
    return found


def report(net, batches):
    count = partial(hits, recording=False)
    print(count(net.cuda(), batches))
