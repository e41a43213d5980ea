# the optimizer steps a second time

import torch

model = torch.nn.Linear(64, 16).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=2e-4)
scaler = torch.amp.GradScaler("cuda")
for batch in torch.randn(64, 8, 64, device="cuda"):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(batch).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    optimizer.step()  #! MEM303 error
    scaler.update()
