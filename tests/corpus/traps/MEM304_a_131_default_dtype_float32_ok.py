import torch
from torch import nn

torch.set_default_dtype(torch.float32)
EPS = 1e-10


class VAE(nn.Module):
    def __init__(self, n, k):
        super().__init__()
        self.enc, self.mu, self.logvar = nn.Linear(n, 64), nn.Linear(64, k), nn.Linear(64, k)
        self.dec = nn.Linear(k, n)

    def forward(self, x):
        h = torch.tanh(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        return torch.softmax(self.dec(mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)), 1), mu, logvar

    def loss(self, x, x_, mu, logvar, beta):
        ll = torch.sum(x * torch.log(x_ + EPS), dim=1)
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1)
        return torch.mean(beta * kld - ll)


def learn(vae, train_set, n_epochs, batch_size, beta=1.0):
    optimizer = torch.optim.Adam(params=vae.parameters(), lr=1e-3)
    for _ in range(n_epochs):
        sum_loss, count = 0.0, 0
        for ids in train_set.user_iter(batch_size, shuffle=False):
            x = torch.tensor(train_set.matrix[ids, :].toarray(), dtype=torch.float32)
            x_, mu, logvar = vae(x)
            loss = vae.loss(x, x_, mu, logvar, beta)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sum_loss += loss.data.item()
            count += len(x)
    return vae
