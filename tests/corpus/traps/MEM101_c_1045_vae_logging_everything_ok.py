import logging
from collections import OrderedDict, deque

import torch
import torch.nn as nn
import wandb
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.mu, self.lv = nn.Linear(784, 400), nn.Linear(400, 20), nn.Linear(400, 20)
        self.dec = nn.Sequential(nn.Linear(20, 400), nn.ReLU(), nn.Linear(400, 784))

    def forward(self, x):
        h = torch.relu(self.enc(x))
        mu, lv = self.mu(h), self.lv(h)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return self.dec(z), mu, lv


class Smoothed:
    def __init__(self, window=50):
        self.d = deque(maxlen=window)
        self.total, self.n = 0.0, 0

    def update(self, v):
        if torch.is_tensor(v):
            v = v.detach().item()
        self.d.append(v)
        self.total += v
        self.n += 1

    @property
    def avg(self):
        return sum(self.d) / max(len(self.d), 1)


def elbo(x, out, mu, lv):
    rec = nn.functional.binary_cross_entropy_with_logits(out, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp())
    return rec + kld, OrderedDict(rec=rec, kld=kld)


def fit(loader, epochs, beta=1.0):
    vae = VAE().cuda()
    opt = torch.optim.Adam(vae.parameters(), 1e-3)
    tb, meters = SummaryWriter(), {"rec": Smoothed(), "kld": Smoothed()}
    losses = []
    for ep in range(epochs):
        pbar = tqdm(loader)
        epoch_loss = torch.zeros((), device="cuda")
        for i, (x, _) in enumerate(pbar):
            x = x.view(-1, 784).cuda()
            opt.zero_grad(set_to_none=True)
            out, mu, lv = vae(x)
            loss, parts = elbo(x, out, mu, lv)
            loss.backward()
            opt.step()
            for k, v in parts.items():
                meters[k].update(v)
                tb.add_scalar(k, v, ep * len(loader) + i)
            epoch_loss += loss.detach()
            pbar.set_postfix(loss=loss, **parts)
            pbar.set_description(f"{ep} {loss:.3f}")
            wandb.log({"loss": loss, "kl": parts["kld"]})
            logging.debug("loss %s", loss)
        losses.append((epoch_loss / len(loader)).cpu())
        tb.add_scalars("epoch", {k: m.avg for k, m in meters.items()}, ep)
    return torch.stack(losses)
