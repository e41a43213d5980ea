"""Mixed precision with a GradScaler; the running loss keeps the autograd nodes of all steps."""

import torch, torch.nn as nn, torch.nn.functional as F

net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))
opt = torch.optim.SGD(net.parameters(), 0.1)
scaler = torch.amp.GradScaler("cpu")
running = 0.0
for step in range(30):
    inputs, labels = torch.randn(32, 64), torch.randint(0, 10, (32,))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = F.cross_entropy(net(inputs).float(), labels)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    running += loss
print(running / 30)
