"""The steps of pyro are made in a function."""

import pyro.infer
import pyro.optim
from data import Names
from torch.utils.data import DataLoader
from vae import NameVAE


def epoch_of(svi, loader):
    return sum(svi.step(batch) for batch in loader) / len(loader)


vae = NameVAE()
loader = DataLoader(Names("names.csv"), batch_size=64)
svi = pyro.infer.SVI(vae.model, vae.guide, pyro.optim.Adam({"lr": 1e-3}), loss=pyro.infer.Trace_ELBO())
for epoch in range(100):
    for _ in range(5):
        print(vae.model(None)[0])
    print(epoch_of(svi, loader))
