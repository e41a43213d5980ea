# what an agent is told to optimize is a text, and nothing shows that a tensor comes back

import torch


def improve(agent, names):
    found = []
    for name in names:
        better, similarity = agent.optimize(name, lr=2, num_iter=80)
        found.append((similarity, name, better))
    return sum(row[0] for row in found)


def load(path):
    return torch.load(path)
