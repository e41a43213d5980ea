"""Issue: "training is 3x slower since I added the fix for the OOM"."""
import gc

import torch
from torch import nn
from torch.cuda import amp


def cleanup():
    gc.collect()  #! MEM501
    torch.cuda.empty_cache()  #! MEM501


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
        del images, masks, loss
        cleanup()  #= MEM501
    return running


@torch.inference_mode()
def validate(model, loader, device):
    model.eval()
    dice = 0.0
    for images, masks in loader:
        out = model(images.to(device)).sigmoid() > 0.5
        dice += (2 * (out & masks.to(device).bool()).sum() / (out.sum() + masks.sum())).item()
        torch.cuda.empty_cache()  #! MEM501
    return dice / len(loader)


def fit(model, train, val, epochs):
    device = torch.device("cuda")
    opt = torch.optim.AdamW(model.to(device).parameters())
    scaler = torch.amp.GradScaler("cuda")
    for e in range(epochs):
        print(e, train_one_epoch(model, train, opt, scaler, device), validate(model, val, device))
