# training loop: backward follows in the same pass

import torch

model = torch.nn.Linear(4, 1)
opt = torch.optim.Adam(model.parameters())
for epoch in range(3):
    for x in torch.randn(10, 8, 4):
        out = model(x)
        loss = out.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
