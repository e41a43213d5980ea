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
    try:
        step(x)
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        step(x[: len(x) // 2])  #! MEM115 error
        step(x[len(x) // 2 :])
