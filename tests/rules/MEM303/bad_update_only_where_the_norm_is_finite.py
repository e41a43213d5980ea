# the update is left out with the step, but the gradients are unscaled each time

import torch

model = torch.nn.Linear(64, 16).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
scaler = torch.amp.GradScaler("cuda")
for batch in torch.randn(64, 8, 64, device="cuda"):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(batch).logsumexp(-1).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if torch.isfinite(norm):
        scaler.step(optimizer)
        scaler.update()  #! MEM303 error
    optimizer.zero_grad()
