"""Five samples in each epoch of what `SVI.step` of pyro trains."""

from data import Names
from pyro.infer import SVI, Trace_ELBO
from pyro.optim import Adam
from torch.utils.data import DataLoader
from vae import NameVAE

loader = DataLoader(Names("names.csv"), batch_size=64)
vae = NameVAE()
svi = SVI(vae.model, vae.guide, Adam({"lr": 1e-3}), loss=Trace_ELBO())
for epoch in range(100):
    for _ in range(5):
        print(vae.model(None)[0])
    for batch in loader:
        svi.step(batch)
