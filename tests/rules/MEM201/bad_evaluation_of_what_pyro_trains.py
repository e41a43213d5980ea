# a test loop beside the steps of pyro

from data import Names
from pyro.infer import SVI, Trace_ELBO
from pyro.optim import Adam
from torch.utils.data import DataLoader
from vae import Encoder, NameVAE

loader = DataLoader(Names("names.csv"), batch_size=64)
test_loader = DataLoader(Names("test.csv"), batch_size=64)
encoder = Encoder().cuda()
vae = NameVAE(encoder)
svi = SVI(vae.model, vae.guide, Adam({"lr": 1e-3}), loss=Trace_ELBO())
for epoch in range(100):
    for batch in loader:
        svi.step(batch.cuda())
    encoder.eval()
    correct = 0
    for x, y in test_loader:
        scores = encoder(x.cuda())  #! MEM201 error
        correct += (scores.argmax(1).cpu() == y).sum().item()
    encoder.train()
    print(correct)
