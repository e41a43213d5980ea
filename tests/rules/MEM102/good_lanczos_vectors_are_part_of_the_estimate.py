# the vectors of a Krylov space are kept for an estimate that others train by

import torch
from torch import nn


def tridiagonal(product, steps, v):
    vectors, diagonal, beside = [v], [], []
    w = product(v)
    for _ in range(steps):
        beta = torch.norm(w, dim=-1)
        v = w / beta.unsqueeze(-1)
        vectors.append(v)
        w = product(v)
        alpha = torch.einsum("bi,bi->b", w, v)
        w = w - torch.einsum("bm,bmd->bd", alpha.unsqueeze(-1), torch.stack(vectors, dim=1)[:, -1:])
        diagonal.append(alpha)
        beside.append(beta)
    off = torch.stack(beside, dim=-1)[..., 1:]
    return torch.diag_embed(off, offset=-1) + torch.diag_embed(torch.stack(diagonal, dim=-1))


class Flow(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.scale = nn.Parameter(torch.ones(1))

    def potential(self, x):
        return ((x @ self.weight) ** 4).sum(1) * self.scale

    def transform(self, x):
        with torch.enable_grad():
            x = x.clone().requires_grad_(True)
            f = torch.autograd.grad(self.potential(x).sum(), x, create_graph=True)[0]

            def product(v):
                return torch.autograd.grad(f, x, v, create_graph=self.training, retain_graph=True)[0]

        t = tridiagonal(product, 4, torch.randn_like(x))
        return f, torch.linalg.eigvalsh(t).log().sum(-1)
