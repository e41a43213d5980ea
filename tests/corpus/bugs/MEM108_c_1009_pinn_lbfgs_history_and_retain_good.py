import numpy as np
import torch
import torch.nn as nn


class PINN(nn.Module):
    def __init__(self, layers=(2, 50, 50, 50, 1)):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layers[:-1], layers[1:]))

    def forward(self, x):
        for lin in self.linears[:-1]:
            x = torch.tanh(lin(x))
        return self.linears[-1](x)


class Burgers:
    def __init__(self, X_u, u, X_f, nu):
        self.net = PINN()
        self.x_f = torch.tensor(X_f[:, 0:1], requires_grad=True).float()
        self.t_f = torch.tensor(X_f[:, 1:2], requires_grad=True).float()
        self.X_u = torch.tensor(X_u).float()
        self.u = torch.tensor(u).float()
        self.nu = nu
        self.iter = 0
        self.loss_curve = []
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def net_f(self, x, t):
        u = self.net(torch.cat([x, t], dim=1))
        u_t = torch.autograd.grad(u, t, torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), retain_graph=True, create_graph=True)[0]
        return u_t + u * u_x - self.nu * u_xx

    def step(self):
        self.optimizer.zero_grad()
        u_pred = self.net(self.X_u)
        f_pred = self.net_f(self.x_f, self.t_f)
        loss_u = torch.mean((self.u - u_pred) ** 2)
        loss_f = torch.mean(f_pred ** 2)
        loss = loss_u + loss_f
        loss.backward()
        self.optimizer.step()
        self.iter += 1
        self.loss_curve.append([loss_u.item(), loss_f.item()])
        return loss

    def train(self, epochs):
        self.net.train()
        for e in range(epochs):
            loss = self.step()
            if e % 100 == 0:
                print("Iter %d, Loss: %.5e" % (self.iter, loss.item()))


if __name__ == "__main__":
    X = np.random.rand(100, 2).astype(np.float32)
    Burgers(X, X[:, :1], np.random.rand(2000, 2).astype(np.float32), 0.01 / np.pi).train(10000)
