# All of the network in half precision, trained with Adam.
import torch
import torch.nn as nn
from torch.optim import Adam


def make_net(n_in=784, n_out=10):
    return nn.Sequential(nn.Flatten(), nn.Linear(n_in, 2048), nn.ReLU(), nn.Linear(2048, n_out))


net = make_net().cuda()
optim = Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
for it in range(1000):
    x, y = torch.rand(128, 1, 28, 28).cuda(), torch.randint(10, (128,)).cuda()
    with torch.autocast("cuda", torch.float16):
        loss = nn.functional.cross_entropy(net(x), y)
    optim.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optim)
    scaler.update()
