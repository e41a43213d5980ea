# scores that go through tanh, and a bias for relative places: no fused kernel has the same

import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v):
        att = 50 * torch.tanh(q @ k.transpose(-2, -1) / 50)
        att = att + self.relative_position_bias
        return att.softmax(-1) @ v
