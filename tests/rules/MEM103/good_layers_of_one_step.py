# the costs of the layers of one forward pass: few of them, gone when the step is over

import torch
from torch import nn


class Matcher(nn.Module):
    @torch.no_grad()
    def matched(self, outputs_list, targets):
        costs = []
        for number, outputs in enumerate(outputs_list):
            costs.append(torch.cdist(outputs["boxes"], targets.cuda(), p=1))
        if costs[0].is_cuda:
            return solved(costs)
        return [self.assigned(cost.cpu()) for cost in costs]

    @torch.no_grad()
    def distances(self, hidden_states, probes):
        found = []
        for state in hidden_states:
            found.append(torch.cdist(state, probes.cuda()))
        return torch.cat(found).cpu()
