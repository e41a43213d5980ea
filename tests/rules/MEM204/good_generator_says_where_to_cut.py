# the generator also says which pieces it made: places in the recording, which carry no graph

import torch
from torch.nn import functional as F

from audio import slice_segments


def train(net_g, net_d, optim_g, optim_d, loader, hop=512, size=8192):
    for spec, wave in loader:
        made, ids_slice = net_g(spec)
        wave = slice_segments(wave, ids_slice * hop, size)
        real, fake = net_d(wave, made.detach())
        optim_d.zero_grad()
        (fake.mean() - real.mean()).backward()
        optim_d.step()
        _, fake = net_d(wave, made)
        optim_g.zero_grad()
        (F.l1_loss(made, wave) - fake.mean()).backward()
        optim_g.step()
