# function called from main: zero_grad one level too far to the left

import torch
import torch.nn.functional as F


def train_one_epoch(net, opt, scaler, loader, every):
    net.train()
    opt.zero_grad(set_to_none=True)
    for step, (img, lab) in enumerate(loader):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            cost = F.cross_entropy(net(img), lab) / every
        scaler.scale(cost).backward()
        update = (step + 1) % every == 0 or step + 1 == len(loader)
        if update:
            scaler.step(opt)
            scaler.update()
        opt.zero_grad(set_to_none=True)  #! MEM124 error


def main():
    net = torch.nn.Linear(12, 3)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    loader = [(torch.randn(2, 12), torch.randint(0, 3, (2,))) for _ in range(10)]
    train_one_epoch(net, opt, torch.amp.GradScaler("cuda", enabled=False), loader, 4)


if __name__ == "__main__":
    main()
