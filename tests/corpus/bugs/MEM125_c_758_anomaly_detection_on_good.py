import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter



class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(784, 40), nn.Linear(20, 784)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (logvar / 2).exp()
        return torch.sigmoid(self.dec(z)), mu, logvar


def elbo(out, x, mu, logvar):
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
    return nn.functional.binary_cross_entropy(out, x, reduction="sum") + kl


def main(loader):
    net = VAE()
    opt = torch.optim.Adam(net.parameters())
    log = SummaryWriter()
    for epoch in range(50):
        for i, (x, _) in enumerate(loader):
            x = x.flatten(1)
            opt.zero_grad()
            loss = elbo(*net(x)[:1], x, *net(x)[1:])
            loss.backward()
            opt.step()
        log.add_scalar("loss", loss.item(), epoch)
