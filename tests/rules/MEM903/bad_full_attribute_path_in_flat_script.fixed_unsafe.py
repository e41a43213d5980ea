# full attribute path in a flat script

import torch

model = torch.nn.Linear(8, 2).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for x in torch.randn(10, 4, 8, device="cuda"):
    opt.zero_grad()
    with torch.amp.autocast("cuda"):
        loss = model(x).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
