import time

import torch


def load_with_patience(fetch, url, net):
    for attempt in range(5):
        try:
            state = fetch(url)
            break
        except (ConnectionError, TimeoutError):
            time.sleep(2 ** attempt)
            state = fetch(url)
    net.load_state_dict(state)
    return net


def read(loader_cls, dataset):
    try:
        return loader_cls(dataset, num_workers=8)
    except ValueError:
        return loader_cls(dataset, num_workers=0)


def first(net, loader):
    with torch.no_grad():
        return net(next(iter(loader)))
