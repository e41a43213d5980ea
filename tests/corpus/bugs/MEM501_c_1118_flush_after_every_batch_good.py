import gc

import torch
from torch import nn


def cleanup():
    gc.collect()
    torch.cuda.empty_cache()


def train_one_epoch(model, loader, optimizer, scaler, device):
    model.train()
    running = 0.0
    for idx, (images, masks) in enumerate(loader):
        images, masks = images.to(device), masks.to(device)
        with torch.autocast("cuda"):
            loss = nn.functional.binary_cross_entropy_with_logits(model(images), masks)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        running += loss.item()
        if torch.cuda.memory_reserved() > 20e9:
            torch.cuda.empty_cache()
    return running


def fit(model, train, val, epochs):
    device = torch.device("cuda")
    opt = torch.optim.AdamW(model.to(device).parameters())
    scaler = torch.amp.GradScaler("cuda")
    for e in range(epochs):
        print(e, train_one_epoch(model, train, opt, scaler, device))
        cleanup()
    del model
    cleanup()
