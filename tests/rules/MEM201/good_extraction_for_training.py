# what is taken out of a network is trained on in the same file, or goes back to the caller

import torch


def extract_features(network, loader):
    return torch.cat([network(x) for x, _ in loader])


def extract_pairs(store, network, loader):
    for x, y in loader:
        store.pairs.append((network(x), y))


def fit(store, network, loader, optimizer, loss_fn):
    extract_pairs(store, network, loader)
    loss = sum(loss_fn(a, b) for a, b in store.pairs)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
