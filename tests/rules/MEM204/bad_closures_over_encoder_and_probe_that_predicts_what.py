# closures over an encoder and a probe that predicts what it should not hold

import torch
from torch import nn

encoder, probe, decoder = nn.Linear(12, 6), nn.Linear(6, 2), nn.Linear(6, 12)
main_opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
probe_opt = torch.optim.Adam(probe.parameters())


def make(cross_entropy):
    def train_probe(x, group):
        code = encoder(x)
        guess = probe(code)  #! MEM204 warning
        probe_opt.zero_grad()
        cross_entropy(guess, group).backward()
        probe_opt.step()

    def train_autoencoder(x, group):
        code = encoder(x)
        loss = (decoder(code) - x).pow(2).mean() - cross_entropy(probe(code), group)
        main_opt.zero_grad()
        loss.backward()
        main_opt.step()

    return train_probe, train_autoencoder


train_probe, train_autoencoder = make(nn.functional.cross_entropy)
for x in torch.randn(40, 5, 12):
    group = torch.randint(0, 2, (5,))
    train_probe(x, group)
    train_autoencoder(x, group)
