# accumulation: step and update under the same condition

import torch

net = torch.nn.Linear(6, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for i, x in enumerate(torch.randn(16, 4, 6, device="cuda")):
    with torch.autocast("cuda"):
        loss = net(x).mean() / 4
    scaler.scale(loss).backward()
    if (i + 1) % 4 == 0:
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
