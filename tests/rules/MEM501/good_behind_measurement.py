# behind a measurement

import torch

LIMIT = 0.9
model = torch.nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = torch.cuda.get_device_properties(0).total_memory
for batch in torch.randn(100, 32, 64):
    optimizer.zero_grad()
    model(batch.cuda()).sum().backward()
    optimizer.step()
    if torch.cuda.memory_reserved() > LIMIT * total:
        torch.cuda.empty_cache()
