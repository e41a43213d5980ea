import torch
from torch.amp import GradScaler, autocast
from torch import nn


def main(net, dl, epochs):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    scaler = GradScaler("cuda")
    for _ in range(epochs):
        for x, y in dl:
            with autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            opt.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(net.parameters(), 1.)
            scaler.step(opt)
            scaler.update()
        with torch.autocast(device_type="cuda"), torch.no_grad():
            print(net(x.cuda()).std().item())
