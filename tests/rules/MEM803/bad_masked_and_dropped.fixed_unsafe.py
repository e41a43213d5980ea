# a buffer hides positions, a layer drops some, and one line computes the scale; a mask that may be missing

import math

import torch
import torch.nn.functional as F
from torch import nn


class Causal(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.drop = nn.Dropout(0.1)
        self.register_buffer("seen", torch.tril(torch.ones(length, length))[None, None])

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(
            q, k, v,
            attn_mask=self.seen[:, :, :t, :t] != 0,
            dropout_p=self.drop.p if self.drop.training else 0.0,
            scale=(1.0 / math.sqrt(k.size(-1))),
        )  # heads are put together below
        return out.transpose(1, 2).reshape(b, t, c)


class Biased(nn.Module):
    def __init__(self, width, heads=4, rate=0.0):
        super().__init__()
        size = width // heads
        self.rate, self.scale = rate, size**-0.5

    def forward(self, q, k, v, mask=None):
        return F.scaled_dot_product_attention(
            q, k, v,
            attn_mask=mask.to(q.dtype) if mask is not None else None,
            dropout_p=self.rate if self.training else 0.0,
            scale=self.scale,
        )


def of_pictures(q, k, v):
    return F.scaled_dot_product_attention(
        q.transpose(-2, -1), k.transpose(-2, -1), v.transpose(-2, -1),
        scale=1.0,
    ).transpose(-2, -1)


def short(q, k, v, hidden):
    return F.scaled_dot_product_attention(
        q, k, v,
        attn_mask=hidden,
        scale=1 / (q.shape[-1] ** 0.5),
    )


def of_whole_numbers(q, k, v, mask, busy=False):
    return F.scaled_dot_product_attention(
        q, k, v,
        attn_mask=((1 - mask) * -10).to(q.dtype),
        dropout_p=(0.5 if q.requires_grad else 0.1) if busy else 0.0,
        scale=1.0,
    )
