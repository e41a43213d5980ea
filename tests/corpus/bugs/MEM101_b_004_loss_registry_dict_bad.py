import torch
import torch.nn.functional as F
from torch import nn

LOSSES = {}


def register(name):
    def wrap(fn):
        LOSSES[name] = fn
        return fn
    return wrap


@register("recon")
def recon(out, batch):
    return F.mse_loss(out["x_hat"], batch["x"])


@register("kl")
def kl(out, batch):
    return -0.5 * torch.mean(1 + out["logvar"] - out["mu"].pow(2) - out["logvar"].exp())


@register("cls")
def cls(out, batch):
    return F.cross_entropy(out["logits"], batch["y"])


class Net(nn.Module):
    def __init__(self, d=784, z=16):
        super().__init__()
        self.enc = nn.Linear(d, 2 * z)
        self.dec = nn.Linear(z, d)
        self.head = nn.Linear(z, 10)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return {"mu": mu, "logvar": logvar, "x_hat": self.dec(z), "logits": self.head(z)}


def main(loader, weights, epochs=20):
    model = Net().cuda()
    optim = torch.optim.Adam(model.parameters(), 1e-3)
    for ep in range(epochs):
        running = {k: 0.0 for k in weights}
        seen = 0
        for batch in loader:
            batch = {k: v.cuda(non_blocking=True) for k, v in batch.items()}
            out = model(batch["x"])
            terms = {k: LOSSES[k](out, batch) for k in weights}
            loss = 0
            for k, w in weights.items():
                loss = loss + w * terms[k]
            optim.zero_grad(set_to_none=True)
            loss.backward()
            optim.step()
            n = batch["x"].shape[0]
            for k in terms:
                running[k] = running[k] + terms[k] * n  #! MEM101
            seen += n
        print(ep, " ".join(f"{k}={v / seen:.4f}" for k, v in running.items()))
