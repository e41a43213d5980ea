# cache names that sound right, in a training loop

import torch

model = torch.nn.Linear(64, 8).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    opt.zero_grad()
    model(torch.randn(16, 64, device="cuda")).mean().backward()
    opt.step()
    if step % 50 == 0:
        torch.cuda.empty_cache()
