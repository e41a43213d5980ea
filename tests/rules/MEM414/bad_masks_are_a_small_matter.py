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


class Sharpen(nn.Module):
    def forward(self, image, weight, mean):
        cross = weight.new_ones(3, 3).view(1, 1, 3, 3).repeat(image.size(1), 1, 1, 1) / 9
        kernel = weight[None, None].repeat(image.size(1), 1, 1, 1) / weight.sum()
        image = image - mean.view(1, 3, 1, 1).repeat(image.size(0), 1, image.size(2), image.size(3))  #! MEM414 warning
        return nn.functional.conv2d(image, kernel + cross, groups=image.size(1))
