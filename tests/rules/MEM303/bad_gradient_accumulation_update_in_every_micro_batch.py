# gradient accumulation: update in every micro-batch

import torch

model = torch.nn.Linear(128, 16).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
scaler = torch.amp.GradScaler("cuda")
for i, batch in enumerate(torch.randn(64, 8, 128, device="cuda")):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(batch).logsumexp(-1).mean() / 8
    scaler.scale(loss).backward()
    if (i + 1) % 8 == 0:
        scaler.step(optimizer)
        optimizer.zero_grad()
    scaler.update()  #! MEM303 warning
