# a with statement spread over lines in parentheses

import torch

net = torch.nn.Linear(2, 2)
with (
    torch.autocast("cpu", dtype=torch.bfloat16),
    torch.no_grad(),
):
    net(torch.randn(1, 2))
