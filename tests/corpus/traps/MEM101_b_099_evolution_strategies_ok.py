import torch
from torch import nn

torch.set_grad_enabled(False)


def rollout(net, env):
    s, total, done = env.reset(), 0.0, False
    while not done:
        a = net(torch.as_tensor(s).float()).argmax().item()
        s, r, done, _ = env.step(a)
        total += r
    return total


def es(net, env, sigma=0.1, lr=0.02, pop=50, gens=200):
    theta = nn.utils.parameters_to_vector(net.parameters())
    history = []
    for g in range(gens):
        eps = torch.randn(pop, theta.numel())
        scores = []
        for e in eps:
            nn.utils.vector_to_parameters(theta + sigma * e, net.parameters())
            scores.append(rollout(net, env))
        s = torch.tensor(scores)
        theta = theta + lr / (pop * sigma) * eps.t() @ ((s - s.mean()) / (s.std() + 1e-8))
        history.append(theta.norm())
