import torch
from torch import nn

first, second = nn.Linear(8, 8).cuda(), nn.Linear(8, 1).cuda()
opt_first = torch.optim.Adam(first.parameters())
opt_second = torch.optim.Adam(second.parameters())
for x in torch.randn(20, 4, 8, device="cuda"):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        opt_first.zero_grad()
        (first(x) - x).pow(2).mean().backward()  #? MEM302
        opt_first.step()
        opt_second.zero_grad()
        second(x).abs().mean().backward()
        opt_second.step()
