# a mask of the agents is written out for each hidden unit

import torch


def masked(hidden, alive, n_agents, batch_size):
    width = hidden.shape[-1]
    weights = alive.float().reshape(batch_size, n_agents, 1).repeat(1, 1, width)  #! MEM414 warning
    return torch.relu(hidden) * weights
