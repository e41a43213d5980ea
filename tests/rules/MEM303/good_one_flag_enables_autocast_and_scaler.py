# one flag enables autocast and the scaler

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
net = torch.nn.Linear(6, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda", enabled=args.amp)
for x in torch.randn(10, 4, 6, device="cuda"):
    with torch.autocast("cuda", enabled=args.amp):
        loss = net(x).mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
