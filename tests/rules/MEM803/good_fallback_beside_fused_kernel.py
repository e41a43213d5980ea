# the author has the fused kernel, and this is for where it is missing

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v):
        if self.fast:
            return F.scaled_dot_product_attention(q, k, v)
        att = (q @ k.transpose(-2, -1)) * self.scale
        return att.softmax(dim=-1) @ v
