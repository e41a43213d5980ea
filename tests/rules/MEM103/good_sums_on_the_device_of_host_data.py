# What is made on the device of a batch that nobody moved lies where the batch does: on the host.

import torch
from torch.utils.data import DataLoader


def scatter_add(x, index, size):
    return torch.zeros((size,), dtype=x.dtype, device=x.device).index_add(0, index, x)


def scale_and_shift(dataset, net):
    reference = torch.zeros((119,), dtype=torch.float)
    energies = []
    for batch in DataLoader(dataset, batch_size=64):
        own = scatter_add(reference[batch["numbers"]], batch["image"], batch["energy"].shape[0])
        energies.append(batch["energy"] - own)
    energies = torch.cat(energies)
    net.shift = energies.mean().item()
    return net.cuda()


def weights(dataset, net):
    kept = []
    for batch in DataLoader(dataset, batch_size=64):
        kept.append(torch.ones_like(batch["x"]) * torch.arange(8, device=batch["x"].device))
    return torch.cat(kept), net.cuda()
