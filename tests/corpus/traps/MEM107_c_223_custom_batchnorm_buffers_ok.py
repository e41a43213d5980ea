import torch
from torch import nn


def batch_norm(X, gamma, beta, moving_mean, moving_var, eps, momentum):
    if not torch.is_grad_enabled():
        X_hat = (X - moving_mean) / torch.sqrt(moving_var + eps)
    else:
        mean = X.mean(dim=0)
        var = ((X - mean) ** 2).mean(dim=0)
        X_hat = (X - mean) / torch.sqrt(var + eps)
        moving_mean = (1.0 - momentum) * moving_mean + momentum * mean
        moving_var = (1.0 - momentum) * moving_var + momentum * var
    return gamma * X_hat + beta, moving_mean.data, moving_var.data


class BatchNorm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))
        self.moving_mean, self.moving_var = torch.zeros(n), torch.ones(n)
        self.register_buffer("running_energy", torch.zeros(1))

    def forward(self, X):
        Y, self.moving_mean, self.moving_var = batch_norm(
            X, self.gamma, self.beta, self.moving_mean, self.moving_var, eps=1e-5, momentum=0.1)
        with torch.no_grad():
            self.running_energy = 0.9 * self.running_energy + 0.1 * Y.pow(2).mean()
        return Y


net = nn.Sequential(nn.Linear(8, 6), BatchNorm(6), nn.Sigmoid(), nn.Linear(6, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for _ in range(20):
    x, y = torch.randn(16, 8), torch.randint(0, 2, (16,))
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
