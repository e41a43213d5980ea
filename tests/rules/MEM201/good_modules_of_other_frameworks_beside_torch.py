# Modules of Flax, Equinox and MLX have no autograd graph, in a file of torch either

import equinox as eqx
import flax.linen as nn
import mlx.core as mx
import mlx.nn
import mlx.optimizers
import torch
from torch.utils.data import DataLoader


class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(10)(x)


class Scorer(eqx.Module):
    layer: eqx.nn.Linear

    def __call__(self, x):
        return self.layer(x)


def evaluate(variables, data):
    net = Head().bind(variables)
    for x, _ in DataLoader(data, batch_size=64):
        print(net(x.numpy()))


def validate(loader: DataLoader, net: Scorer):
    total = 0.0
    for x, y in loader:
        total += float(((net(x.numpy()) - y.numpy()) ** 2).mean())
    return total


def bench(steps=20):
    class Net(mlx.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = mlx.nn.Sequential(mlx.nn.Conv2d(3, 8, 3), mlx.nn.ReLU())

        def __call__(self, x):
            return self.net(x)

    net = Net()
    optim = mlx.optimizers.Adam(learning_rate=1e-3)
    images = mx.random.normal((10, 32, 32, 3))

    def loss_of(params, image):
        net.update(params)
        return net(image).abs().mean()

    def step(params, image):
        loss, grads = mx.value_and_grad(loss_of)(params, image)
        optim.update(net, grads)
        return loss

    for _ in range(steps):
        step(net.parameters(), images)
        mx.eval(net.state)


def bench_torch(steps=20):
    net = torch.nn.Conv2d(3, 3, 3, padding=1)
    optim = torch.optim.Adam(net.parameters())
    images = torch.randn(10, 3, 32, 32)
    for _ in range(steps):
        optim.zero_grad()
        net(images).abs().mean().backward()
        optim.step()
