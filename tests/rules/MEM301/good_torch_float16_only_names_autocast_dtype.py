# torch.float16 only names autocast's dtype

import torch

dtype = torch.float16
model = torch.nn.Linear(8, 1).to("cuda")
opt = torch.optim.AdamW(model.parameters())
scaler = torch.amp.GradScaler("cuda", enabled=dtype == torch.float16)
ctx = torch.amp.autocast("cuda", dtype=dtype)
for x in torch.randn(10, 4, 8):
    with ctx:
        loss = model(x.to("cuda")).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
