import numpy as np
import torch


def train(hyp, model, optimizer, scaler, train_loader, ema, batch_size, epochs, device):
    nbs = 64
    accumulate = max(round(nbs / batch_size), 1)
    nb = len(train_loader)
    nw = max(round(hyp["warmup_epochs"] * nb), 100)
    last_opt_step = -1
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        for i, (imgs, targets) in enumerate(train_loader):
            ni = i + nb * epoch
            imgs = imgs.to(device).float() / 255
            if ni <= nw:
                accumulate = max(1, np.interp(ni, [0, nw], [1, nbs / batch_size]).round())
            with torch.autocast("cuda"):
                loss, items = model(imgs, targets.to(device))
            scaler.scale(loss).backward()
            if ni - last_opt_step >= accumulate:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                if ema:
                    ema.update(model)
                last_opt_step = ni
