import torch
from torch import nn


def train(model, loader, accum=4, epochs=1):
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    opt.zero_grad()
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if (i + 1) % accum == 0 or (i + 1) == len(loader):
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()


def train_nanogpt(model, get_batch, iters, micro=8):
    opt = model.configure_optimizers()
    scaler = torch.amp.GradScaler("cuda")
    x, y = get_batch()
    it = 0
    while True:
        for m in range(micro):
            with torch.autocast("cuda"):
                logits, loss = model(x, y)
                loss = loss / micro
            x, y = get_batch()
            scaler.scale(loss).backward()
        scaler.unscale_(opt)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        it += 1
        if it > iters:
            break
