# clipping what Apex calls master parameters, with torch's own amp

import torch
from torch.cuda import amp


def train(model, optimizer, batches, scaler):
    for x in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(x).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)  #! MEM901 error
        scaler.step(optimizer)
        scaler.update()
