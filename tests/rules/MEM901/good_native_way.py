# the native way

import torch

model = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler("cuda")
for x in torch.randn(10, 3, 4, device="cuda"):
    optimizer.zero_grad()
    with torch.amp.autocast("cuda"):
        loss = model(x).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def initialize():
    return None
