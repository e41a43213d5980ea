import torch
from torch import nn

body, head = nn.Linear(10, 600), nn.Linear(600, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for x in torch.utils.data.DataLoader(torch.randn(40, 10), batch_size=8):
    hidden = body(x)
    if torch.is_grad_enabled(): pass
    out = head(hidden)
    opt.zero_grad()
    nn.functional.mse_loss(out, torch.ones(8, 1)).backward()
    opt.step()
