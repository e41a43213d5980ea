# truth values take a byte each: advice; filters are a few numbers: nothing; numbers, whatever their name, a warning

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, pad, lengths, gauss_kernel, rows):
        steps, width = x.size(1), x.size(2)
        x = x.masked_fill(pad.eq(0).unsqueeze(1).repeat(1, steps, 1), 0)  #! MEM414 advice
        inside = torch.arange(steps)[None, :] < lengths[:, None]
        x = x * inside.unsqueeze(-1).repeat(1, 1, width)  #! MEM414 advice
        blurred = gauss_kernel[None, None, :].repeat(rows, steps, 1) * x
        key_mask = x.abs().sum(-1).sign()
        return blurred * key_mask[:, :, None].repeat(1, 1, width)  #! MEM414 warning
