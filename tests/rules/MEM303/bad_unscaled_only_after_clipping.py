# `unscale_` comes too late, and is moved: a second one would raise.

import torch


def train(net, optimizer, scaler, loader):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = (net(x) - y).pow(2).mean()
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)  #! MEM303 warning
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
