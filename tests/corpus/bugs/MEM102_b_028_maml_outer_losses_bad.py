import torch
import torch.nn.functional as F
from torch import nn, optim


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.vars = nn.ParameterList([nn.Parameter(torch.randn(40, 1) * 0.1), nn.Parameter(torch.zeros(40)), nn.Parameter(torch.randn(1, 40) * 0.1), nn.Parameter(torch.zeros(1))])

    def forward(self, x, vars=None):
        w1, b1, w2, b2 = self.vars if vars is None else vars
        return F.linear(F.relu(F.linear(x, w1, b1)), w2, b2)


class Meta:
    def __init__(self, inner_lr=0.01, meta_lr=1e-3, inner_steps=5):
        self.net = Learner()
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.opt = optim.Adam(self.net.parameters(), lr=meta_lr)

    def adapt(self, x, y):
        fast = list(self.net.parameters())
        for _ in range(self.inner_steps):
            g = torch.autograd.grad(F.mse_loss(self.net(x, fast), y), fast, create_graph=True)
            fast = [w - self.inner_lr * gi for w, gi in zip(fast, g)]
        return fast

    def step(self, tasks):
        outer = 0.
        for xs, ys, xq, yq in tasks:
            fast = self.adapt(xs, ys)
            outer = outer + F.mse_loss(self.net(xq, fast), yq)
        outer = outer / len(tasks)
        self.opt.zero_grad()
        outer.backward()
        self.opt.step()
        return outer


def sinusoid(n=10):
    amp, ph = torch.rand(1) * 4.9 + 0.1, torch.rand(1) * 3.14
    x = torch.rand(2 * n, 1) * 10 - 5
    y = amp * torch.sin(x - ph)
    return x[:n], y[:n], x[n:], y[n:]


def main(iters=60000):
    maml = Meta()
    meta_losses = []
    for it in range(iters):
        l = maml.step([sinusoid() for _ in range(25)])
        meta_losses.append(l)  #! MEM102
        if it % 1000 == 0:
            print(it, sum(float(v) for v in meta_losses[-1000:]) / len(meta_losses[-1000:]))


main()
