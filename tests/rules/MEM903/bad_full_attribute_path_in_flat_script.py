# full attribute path in a flat script

import torch

model = torch.nn.Linear(8, 2).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler()  #! MEM903
for x in torch.randn(10, 4, 8, device="cuda"):
    opt.zero_grad()
    with torch.cuda.amp.autocast():  #! MEM903
        loss = model(x).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
