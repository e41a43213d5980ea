# gradients unscaled by hand before a plain step

import torch

net = torch.nn.Linear(6, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for x in torch.randn(10, 4, 6, device="cuda"):
    with torch.autocast("cuda"):
        loss = net(x).mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    opt.step()
    scaler.update()
