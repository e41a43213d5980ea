# a local module called amp

import torch

from mypackage import amp

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
for x in torch.randn(10, 3, 4):
    optimizer.zero_grad()
    with amp.scale_loss(model(x).mean(), optimizer) as scaled:
        scaled.backward()
    optimizer.step()
