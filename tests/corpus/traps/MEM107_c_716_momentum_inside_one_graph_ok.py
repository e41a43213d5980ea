import torch


def inner_adapt(net_fn, weights, x, y, crit, steps=5, lr=0.1, mu=0.9):
    """Differentiable momentum: the outer loss goes back through the running average."""
    velocity = [torch.zeros_like(w) for w in weights]
    for _ in range(steps):
        loss = crit(net_fn(x, weights), y)
        grads = torch.autograd.grad(loss, weights, create_graph=True)
        velocity = [mu * v + (1 - mu) * g for v, g in zip(velocity, grads)]
        weights = [w - lr * v for w, v in zip(weights, velocity)]
    return weights


def outer(net_fn, weights, tasks, crit, opt):
    for x, y, qx, qy in tasks:
        fast = inner_adapt(net_fn, weights, x, y, crit)
        meta = crit(net_fn(qx, fast), qy)
        opt.zero_grad()
        meta.backward()
        opt.step()
