# a GradScaler is made, and nothing asks it for anything

import torch
from networks import build

model = build().cuda()
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler("cuda")
for x in loader:
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(x.cuda()).mean()
    loss.backward()  #! MEM303 warning
    optimizer.step()
