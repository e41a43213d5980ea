# gradients are clipped before they are unscaled, where the scaler says that it is enabled

import torch
from torch.nn.utils import clip_grad_norm_


def train(net, loader, amp):
    optimizer = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=amp)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = net(x, y)
        scaler.scale(loss).backward()
        if scaler.is_enabled():
            clip_grad_norm_(net.parameters(), 1.0)  #! MEM303 warning
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
