# The copy comes first and decides on the order in memory of the sum: the fix is unsafe.

from torch import nn


class Decoder(nn.Module):
    def forward(self, steps, memory):
        wide = memory[:, None, :].repeat(1, steps.size(1), 1) + steps  #! MEM414 warning
        return wide.view(-1, wide.size(-1))


def rows(weights, rows):
    return rows * weights.unsqueeze(0).repeat(rows.size(0), 1)  #! MEM414 advice
