# Both networks have one optimizer, whose gradients are unscaled once: a second `unscale_` raises.

import torch
from torch.nn.utils import clip_grad_norm_


def train(net, head, optimizer, scaler, loader, limit):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = (head(net(x)) - y).pow(2).mean()
        scaler.scale(loss).backward()
        if limit:
            clip_grad_norm_(net.parameters(), limit)  #! MEM303 warning
        clip_grad_norm_(head.parameters(), 1.0)  #! MEM303 warning
        scaler.step(optimizer)
        scaler.update()
