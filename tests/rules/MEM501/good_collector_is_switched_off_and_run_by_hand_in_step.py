# the collector is switched off and run by hand, in step with the other ranks

import gc

import torch

gc.disable()
model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, batch in enumerate(torch.randn(1000, 2, 4)):
    if step % 50 == 0:
        gc.collect(1)
    optimizer.zero_grad()
    model(batch.cuda()).sum().backward()
    optimizer.step()
