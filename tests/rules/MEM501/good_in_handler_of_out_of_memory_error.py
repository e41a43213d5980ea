# in the handler of an out-of-memory error

import torch

model = torch.nn.Linear(512, 512).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(100, 64, 512):
    oom = False
    optimizer.zero_grad()
    try:
        model(batch.cuda()).sum().backward()
        optimizer.step()
    except torch.cuda.OutOfMemoryError:
        oom = True
    if oom:
        optimizer.zero_grad(set_to_none=True)
        torch.cuda.empty_cache()
