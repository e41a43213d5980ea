# an auxiliary metric that is never back-propagated, in a while loop

import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(32, 128), nn.Tanh())
head = nn.Linear(128, 10)
params = list(encoder.parameters()) + list(head.parameters())
opt = torch.optim.RMSprop(params)
ce = nn.CrossEntropyLoss()

step, sparsity = 0, torch.zeros(())
while step < 500:
    xb, yb = torch.randn(64, 32), torch.randint(0, 10, (64,))
    features = encoder(xb)
    loss = ce(head(features), yb)
    opt.zero_grad()
    loss.backward()
    opt.step()
    activity = features.abs().mean()
    sparsity = sparsity + activity.detach()
    step += 1
print("mean activity", sparsity.item() / step)
