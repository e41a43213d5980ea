# an attack differentiates, and trains nothing

import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
checkpoint = torch.load("best.pt")
model.load_state_dict(checkpoint["model"])
model.eval()
right = 0
for x, y in torch.utils.data.DataLoader(torch.randn(64, 4)):
    x = x.cuda().requires_grad_()
    loss = nn.functional.cross_entropy(model(x), y.cuda())
    loss.backward()
    right += (model(x + 0.1 * x.grad.sign()).argmax(1) == y.cuda()).sum().item()
print(right)
