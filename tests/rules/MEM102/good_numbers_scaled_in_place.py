# a number that an option scales stays a number, also where it is a factor of the loss

from collections import defaultdict

import torch


def solve(options, problem, coords, name, losses):
    optimizer = torch.optim.Adam(problem.field.parameters())
    history = defaultdict(list)
    z = problem.field(coords)[name].detach()
    mu = float(options.mu)
    for _ in range(options.outer):
        for _ in range(options.inner):
            optimizer.zero_grad()
            fields = problem.field(coords)
            x = fields[name]
            penalty = 0.5 * mu * ((x - z) ** 2).mean()
            total = losses(fields) + penalty
            total.backward()
            optimizer.step()
        with torch.no_grad():
            old, z = z, problem.field(coords)[name].clamp(min=0)
            residual = mu * float((z - old).abs().max())
        history["residual"].append(residual)
        history["mu"].append(mu)
        if residual > options.limit:
            mu *= options.tau
        else:
            mu /= options.tau
    return history
