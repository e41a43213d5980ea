# what is taken out of networks goes to a store, in a file that trains nothing

import torch
from torch.utils.data import DataLoader


def extract(store, networks, sets, device):
    for name, data in sets.items():
        loader = DataLoader(data, batch_size=64, num_workers=8)
        extract_logits(store, name, networks, loader, device)
        extract_mid(store, name, networks[0], loader, device)
    return store


def extract_logits(store, name, networks, loader, device):
    for network in networks:
        logits = []
        for x, _ in loader:
            logits.append(network(x.to(device)))  #! MEM201
        store.logits[name] = torch.cat(logits)


def extract_mid(store, name, network, loader, device):
    hidden = []
    for x, _ in loader:
        hidden.append(network.features(x.to(device)))  #! MEM201
    store.hidden[name] = torch.cat(hidden)
