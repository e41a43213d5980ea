import torch
import torch.nn as nn


class PINN(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, t):
        return self.net(t)


class Solver:
    def __init__(self, n=100):
        self.model = PINN()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.t = torch.linspace(0, 1, n).view(-1, 1).requires_grad_(True)

    def residual(self):
        u = self.model(self.t)
        u.sum().backward(create_graph=True)  #! MEM109
        return self.t.grad + u

    def run(self, iters):
        for it in range(iters):
            self.optimizer.zero_grad()
            self.t.grad = None
            loss = self.residual().pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


if __name__ == "__main__":
    Solver().run(500)
