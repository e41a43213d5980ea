import torch
import torch.nn as nn
from torch.autograd import grad


class PINN(nn.Module):
    def __init__(self, layers):
        super().__init__()
        mods = []
        for i, o in zip(layers[:-2], layers[1:-1]):
            mods += [nn.Linear(i, o), nn.Tanh()]
        self.net = nn.Sequential(*mods, nn.Linear(layers[-2], layers[-1]))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


def residual(model, x, t, nu=0.01):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = model(x, t)
    one = torch.ones_like(u)
    u_x = grad(u, x, one, create_graph=True)[0]
    u_t = grad(u, t, one, create_graph=True)[0]
    u_xx = grad(u_x, x, one, create_graph=True)[0]
    return u_t + u * u_x - nu * u_xx


class Solver:
    def __init__(self, model, ic, bc, colloc):
        self.model, self.ic, self.bc, self.colloc = model, ic, bc, colloc
        self.opt = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=20, line_search_fn="strong_wolfe")
        self.iter = 0
        self.history = []

    def loss(self):
        (xi, ti, ui), (xb, tb, ub), (xf, tf) = self.ic, self.bc, self.colloc
        mse = nn.functional.mse_loss
        f = residual(self.model, xf, tf)
        return mse(self.model(xi, ti), ui) + mse(self.model(xb, tb), ub) + f.pow(2).mean()

    def closure(self):
        loss = self.loss()
        loss.backward()  #! MEM121
        self.iter += 1
        self.history.append(loss)  #! MEM102
        if self.iter % 100 == 0:
            print(self.iter, float(loss))
        return loss

    def train(self, n):
        for _ in range(n):
            self.opt.step(self.closure)
