import torch
import torch.nn.functional as F


def irm_penalty(logits, y):
    s = torch.tensor(1., requires_grad=True)
    g = torch.autograd.grad(F.cross_entropy(logits * s, y), [s], create_graph=True)[0]
    return (g ** 2).sum()


def train(model, env_loaders, opt, steps, lam):
    its = [iter(l) for l in env_loaders]
    for step in range(steps):
        nll, pen = 0., 0.
        per_env = []
        for it in its:
            x, y = next(it)
            out = model(x)
            nll += F.cross_entropy(out, y)
            pen += irm_penalty(out, y)
            per_env.append(F.cross_entropy(out, y))
        loss = nll / len(its) + lam * pen / len(its) + torch.stack(per_env).var()
        opt.zero_grad()
        loss.backward()
        opt.step()
