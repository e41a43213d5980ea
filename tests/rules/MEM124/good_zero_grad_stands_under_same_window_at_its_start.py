# zero_grad stands under the same window, at its start

import torch

model = torch.nn.Linear(3, 3)
opt = torch.optim.Adam(model.parameters())
accum = 5
for it in range(100):
    if it % accum == 0:
        opt.zero_grad()
    loss = model(torch.randn(7, 3)).pow(2).mean() * (1 / accum)
    loss.backward()
    if it % accum == accum - 1:
        opt.step()
