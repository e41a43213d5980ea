# the index takes the first result, and the weights are gone

from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attend = nn.MultiheadAttention(width, 8)

    def forward(self, x, mask):
        return x + self.attend(x, x, x, attn_mask=mask)[0]  #! MEM803 advice
