# the batch is halved inside the handler, flat script

import torch

model = torch.nn.Linear(4096, 4096).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x):
    opt.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    opt.step()


for x in torch.randn(10, 64, 4096).cuda():
    oom = False
    try:
        step(x)
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        oom = True
    if oom:
        step(x[: len(x) // 2])
        step(x[len(x) // 2 :])
