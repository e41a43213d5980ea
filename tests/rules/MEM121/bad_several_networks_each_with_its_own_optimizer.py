# several networks, each with its own optimizer, in an inner loop that names them

import torch
import torch.nn.functional as F


def build(count):
    nets = [torch.nn.Linear(12, 4) for _ in range(count)]
    return nets, [torch.optim.Adam(net.parameters(), lr=1e-3) for net in nets]


def learn_together(loader, count=3):
    nets, optims = build(count)
    for x, y in loader:
        guesses = [net(x) for net in nets]
        for k, (guess, optim) in enumerate(zip(guesses, optims)):
            others = [g.detach() for i, g in enumerate(guesses) if i != k]
            loss = F.cross_entropy(guess, y) + F.mse_loss(guess, torch.stack(others).mean(0))
            loss.backward()  #! MEM121
            optim.step()


learn_together([(torch.randn(8, 12), torch.randint(4, (8,))) for _ in range(50)])
