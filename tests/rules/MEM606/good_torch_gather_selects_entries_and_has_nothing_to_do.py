# torch.gather selects entries and has nothing to do with processes

import torch


def picked(policy, loader):
    values = []
    with torch.no_grad():
        for states, actions in loader:
            values.append(policy(states).gather(1, actions.unsqueeze(1)).mean().item())
            values.append(torch.gather(policy(states), 1, actions).cpu())
    return values
