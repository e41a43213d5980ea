import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, n, m, k):
        super().__init__()
        self.u, self.v = nn.Parameter(torch.rand(n, k)), nn.Parameter(torch.rand(k, m))

    def forward(self, x=None):
        return self.u @ self.v


def fit(data, k=10):
    model = Factors(*data.shape, k)
    opt = torch.optim.Adam(model.parameters(), 0.05)
    n_iter = len(data)
    for i in range(n_iter):
        opt.zero_grad()
        loss = (model(x=None) - data).pow(2).mean()
        loss.backward()
        opt.step()
    return model


def gp_fit(model, likelihood, mll, train_x, train_y):
    import gpytorch
    opt = torch.optim.Adam(model.parameters(), 0.1)
    with gpytorch.settings.max_cg_iterations(100):
        for i in range(len(train_x)):
            opt.zero_grad()
            loss = -mll(model(train_x), train_y)
            loss.backward()
            opt.step()
