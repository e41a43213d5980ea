# float32 master weights by hand: the optimizer owns float copies

import torch

model = torch.nn.Linear(4, 2).cuda().half()
master = [p.detach().clone().float().requires_grad_() for p in model.parameters()]
opt = torch.optim.Adam(master)
for x in torch.randn(10, 2, 4, device="cuda"):
    loss = model(x.half()).float().pow(2).mean()
    model.zero_grad()
    (loss * 128).backward()
    for m, p in zip(master, model.parameters()):
        m.grad = p.grad.float() / 128
    opt.step()
    for m, p in zip(master, model.parameters()):
        p.data.copy_(m.data)
