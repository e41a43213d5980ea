# torch runs the two sides of an operation of one's own without recording: sums made there have no graph

import torch
from torch.autograd import Function


def flat(parts):
    return torch.cat([part.contiguous().view(-1) for part in parts])


def slopes(x, h, integrand, given):
    with torch.enable_grad():
        f = integrand.forward(x, h)
        of_weights = flat(torch.autograd.grad(f, integrand.parameters(), given, create_graph=True))
        of_h = flat(torch.autograd.grad(f, h, given))
    return of_weights, of_h


def integrate(x0, steps, size, integrand, h, weights, of_gradients=False, given=None):
    if of_gradients:
        g_weights = 0.0
        g_h = 0.0
    else:
        z = 0.0
    for i in range(steps + 1):
        x = x0 + i * size
        if of_gradients:
            d_weights, d_h = slopes(x, h, integrand, given)
            g_weights += weights[i] * d_weights
            g_h += weights[i] * d_h
        else:
            z = z + weights[i] * integrand(x, h)
    if of_gradients:
        return g_weights, g_h
    return z * size


class Integral(Function):
    @staticmethod
    def forward(ctx, x0, x, integrand, flat_weights, h, weights, steps):
        with torch.no_grad():
            total = integrate(x0, steps, (x - x0) / steps, integrand, h, weights)
            ctx.integrand, ctx.weights, ctx.steps = integrand, weights, steps
            ctx.save_for_backward(x0.clone(), x.clone(), h)
        return total

    @staticmethod
    def backward(ctx, given):
        x0, x, h = ctx.saved_tensors
        g, g_h = integrate(x0, ctx.steps, x / ctx.steps, ctx.integrand, h, ctx.weights, True, given)
        return None, given, None, g, g_h.view(h.shape), None, None


class Sum(Function):
    @staticmethod
    def forward(ctx, net, batches):
        total = 0.0
        for batch in batches:
            total += net(batch).mean()
        return total

    @staticmethod
    def backward(ctx, given):
        return None, None


class Layers(torch.autograd.function.InplaceFunction):
    @staticmethod
    def forward(ctx, x, layers):
        total = 0.0
        for layer in layers:
            x = layer(x)
            total = total + x.pow(2).mean()
        print(float(total))
        return x

    @staticmethod
    def backward(ctx, given):
        return given, None
