import argparse

import torch
from torch import nn


def hutchinson(net, loss_fn, batch, probes):
    x, y = batch
    loss = loss_fn(net(x), y)
    loss.backward(create_graph=True)  #! MEM109
    grads = [p.grad for p in net.parameters()]
    total = [torch.zeros_like(p) for p in net.parameters()]
    for _ in range(probes):
        vs = [torch.randint_like(p, 2) * 2 - 1 for p in net.parameters()]
        hv = torch.autograd.grad(grads, list(net.parameters()), vs, retain_graph=True)
        for t, v, h in zip(total, vs, hv):
            t += v * h / probes
    return total


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--probes", type=int, default=8)
    args = args.parse_args()
    net = nn.Sequential(nn.Linear(20, 50), nn.Tanh(), nn.Linear(50, 3))
    for step in range(100):
        batch = torch.randn(64, 20), torch.randint(3, (64,))
        diag = hutchinson(net, nn.CrossEntropyLoss(), batch, args.probes)
        net.zero_grad()
        print(step, sum(d.sum().item() for d in diag))


if __name__ == "__main__":
    main()
