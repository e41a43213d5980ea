# a metric of the training step that backward never reaches

import torch
from torch import nn

backbone = nn.Conv2d(3, 16, 3)
classifier = nn.Linear(16, 10)
opt = torch.optim.SGD([*backbone.parameters(), *classifier.parameters()], lr=0.1)
norms = []
for i in range(100):
    img, label = torch.randn(8, 3, 32, 32), torch.randint(0, 10, (8,))
    fmap = backbone(img)
    loss = nn.functional.cross_entropy(classifier(fmap.mean((2, 3))), label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    norms.append(fmap.pow(2).sum().sqrt().detach())
print(torch.stack(norms).mean().item())
