# a GradScaler for bfloat16

import torch

model = torch.nn.Linear(9, 9).cuda()
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler("cuda")  #! MEM303 advice
for x in torch.randn(12, 3, 9, device="cuda"):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).std()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
