# where the scaler is enabled it scales, unscales and steps; else nothing of it is called

import torch
from torch.nn.utils import clip_grad_norm_


def train(net, loader, amp):
    optimizer = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=amp)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = net(x, y)
        if scaler.is_enabled():
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
        else:
            loss.backward()
        clip_grad_norm_(net.parameters(), 1.0)
        if scaler.is_enabled():
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
