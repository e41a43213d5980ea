# clipping what Apex calls master parameters, with torch's own amp

import torch


def train(model, optimizer, batches, scaler):
    for x in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(x).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], 1.0)
        scaler.step(optimizer)
        scaler.update()
