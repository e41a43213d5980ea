"""Hooks as they should be: one slot, registered once, removed in the end, or a list cleared each step."""
import torch
import torch.nn as nn


class FeatureHook:
    def __init__(self, module):
        self.hook = module.register_forward_hook(self.hook_fn)

    def hook_fn(self, module, inp, out):
        mean = inp[0].mean([0, 2, 3])
        var = inp[0].permute(1, 0, 2, 3).contiguous().view(inp[0].size(1), -1).var(1, unbiased=False)
        self.r_feature = (module.running_var - var).norm(2) + (module.running_mean - mean).norm(2)

    def close(self):
        self.hook.remove()


def invert(net, steps, shape):
    hooks = [FeatureHook(m) for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    x = torch.randn(shape, requires_grad=True)
    opt = torch.optim.Adam([x], lr=0.05)
    for _ in range(steps):
        opt.zero_grad()
        loss = net(x).logsumexp(1).mean() + sum(h.r_feature for h in hooks)
        loss.backward()
        opt.step()
    for h in hooks:
        h.close()
    return x.detach()


class GradCAM:
    def __init__(self, model, layer):
        self.model = model
        self.acts, self.grads = [], []
        self.handles = [layer.register_forward_hook(self.save_a), layer.register_forward_hook(self.save_g)]

    def save_a(self, m, i, o):
        self.acts.append(o.cpu().detach())

    def save_g(self, m, i, o):
        if not hasattr(o, "requires_grad") or not o.requires_grad:
            return

        def store(g):
            self.grads = [g.cpu().detach()] + self.grads
        o.register_hook(store)

    def __call__(self, x, c):
        self.acts, self.grads = [], []
        self.model.zero_grad()
        self.model(x)[:, c].sum().backward()
        return (self.acts[0] * self.grads[0].mean((2, 3), keepdim=True)).sum(1)

    def release(self):
        for h in self.handles:
            h.remove()


def profile_each(net, loader):
    for x in loader:
        hs = []
        shapes = []
        for m in net.children():
            hs.append(m.register_forward_hook(lambda m, i, o: shapes.append(tuple(o.shape))))
        with torch.no_grad():
            net(x)
        for h in hs:
            h.remove()
        print(shapes)
