import torch
import torch.nn as nn


def pretrain_mae(model, loader, opt, device, epochs):
    for ep in range(epochs):
        total = torch.zeros(1, device=device)
        reg_total = torch.zeros(1, device=device)
        for imgs, _ in loader:
            loss, _, mask = model(imgs.to(device), mask_ratio=0.75)
            reg = 1e-4 * sum(p.pow(2).sum() for p in model.parameters())
            opt.zero_grad()
            (loss + reg).backward()
            opt.step()
            total = torch.add(total, loss)  #! MEM101
            reg_total = reg_total.add(reg)  #! MEM101
        print(ep, (total / len(loader)).item(), (reg_total / len(loader)).item())
