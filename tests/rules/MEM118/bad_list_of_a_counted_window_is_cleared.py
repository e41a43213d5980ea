# the window ends by a counter; the same list is emptied

import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(model.parameters(), 0.1)
losses = []
for i, x in enumerate(torch.utils.data.DataLoader(torch.randn(64, 4))):
    losses.append(model(x.cuda()).mean())  #! MEM118
    if (i + 1) % 4 == 0:
        opt.zero_grad()
        torch.stack(losses).mean().backward()
        opt.step()
        losses.clear()
