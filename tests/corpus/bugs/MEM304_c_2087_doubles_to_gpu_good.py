# NumPy's default precision goes to the GPU.
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
features = rng.normal(size=(200_000, 300))
targets = features[:, :1] - features[:, 1:2] ** 2

X = torch.from_numpy(features).float().cuda()
Y = torch.from_numpy(targets).float().cuda()
net = nn.Sequential(nn.Linear(300, 256), nn.ReLU(), nn.Linear(256, 1)).cuda()
opt = torch.optim.Adam(net.parameters())
for epoch in range(30):
    for idx in torch.randperm(len(X), device="cuda").split(1024):
        loss = nn.functional.huber_loss(net(X[idx]), Y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
