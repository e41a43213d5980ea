import torch
from torch import nn

body, head = nn.Linear(10, 600), nn.Linear(600, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for x in torch.utils.data.DataLoader(torch.randn(40, 10), batch_size=8):
    x.requires_grad_(); hidden = body(x)  #! MEM128 warning
    if torch.is_grad_enabled(): hidden.retain_grad()  #! MEM128 warning
    out = head(hidden); out.retain_grad()  #! MEM128 warning
    opt.zero_grad()
    nn.functional.mse_loss(out, torch.ones(8, 1)).backward()
    opt.step()
