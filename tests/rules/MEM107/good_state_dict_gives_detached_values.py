# state_dict() gives detached values

import torch

model = torch.nn.Linear(6, 6)
shadow = {k: v.clone() for k, v in model.state_dict().items()}
opt = torch.optim.Adam(model.parameters())
for x in torch.randn(15, 2, 6):
    opt.zero_grad()
    model(x).abs().mean().backward()
    opt.step()
    shadow = {k: 0.99 * v + 0.01 * model.state_dict()[k] for k, v in shadow.items()}
    for k, v in model.state_dict().items():
        shadow[k].mul_(0.5).add_(v, alpha=0.5)
