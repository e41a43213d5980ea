# the four calls in their order, with clipping

import torch

net = torch.nn.Linear(6, 6).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for x in torch.randn(10, 4, 6, device="cuda"):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = net(x).sum()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
