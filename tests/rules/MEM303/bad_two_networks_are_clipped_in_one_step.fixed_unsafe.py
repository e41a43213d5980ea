# Both networks have one optimizer, whose gradients are unscaled once: a second `unscale_` raises.

import torch
from torch.nn.utils import clip_grad_norm_


def train(net, head, optimizer, scaler, loader, limit):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = (head(net(x)) - y).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        if limit:
            clip_grad_norm_(net.parameters(), limit)
        clip_grad_norm_(head.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
