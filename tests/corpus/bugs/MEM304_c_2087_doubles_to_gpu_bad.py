# NumPy's default precision goes to the GPU.
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
features = rng.normal(size=(200_000, 300))
targets = features[:, :1] - features[:, 1:2] ** 2

X = torch.from_numpy(features).cuda()  #! MEM304
Y = torch.from_numpy(targets).cuda()  #! MEM304
net = nn.Sequential(nn.Linear(300, 256), nn.ReLU(), nn.Linear(256, 1)).double().cuda()  #! MEM304
opt = torch.optim.Adam(net.parameters())
for epoch in range(30):
    for idx in torch.randperm(len(X), device="cuda").split(1024):
        loss = nn.functional.huber_loss(net(X[idx]), Y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
