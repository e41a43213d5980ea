# a window for the log, not for the step

import torch

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
seen = 0
for i, x in enumerate(torch.randn(60, 4, 2)):
    optimizer.zero_grad()
    loss = model(x).pow(2).sum()
    loss.backward()
    optimizer.step()
    seen += 1
    if (i + 1) % 20 == 0:
        print(i, loss.item())
    if seen == 30:
        optimizer.param_groups[0]["lr"] /= 10
        seen = 0
