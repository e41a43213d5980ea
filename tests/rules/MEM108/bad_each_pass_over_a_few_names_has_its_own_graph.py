# each pass of a loop over names makes all that its backward goes through

import torch


def audit(device="cpu"):
    for mode in ("single", "plain"):
        x = torch.rand(2, 3, 32, 32, device=device, requires_grad=True)
        model = torch.nn.Conv2d(3, 1, 3, padding=1).to(device)
        pred = model(torch.tanh(x))
        pred.sum().backward(retain_graph=True)  #! MEM108 warning
        print(mode, x.grad.abs().max().item())
