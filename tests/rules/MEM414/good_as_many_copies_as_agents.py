# a copy for each of the few agents of an environment: as many would be silent as a number

import torch


def without_own(agent, alive):
    own = torch.eye(agent.n_agents).to(alive.device)
    others = alive.unsqueeze(-1).repeat(1, 1, agent.n_agents) * (1 - own)
    return others.sum(dim=-1)
