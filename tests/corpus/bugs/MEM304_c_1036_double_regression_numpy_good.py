import numpy as np
import torch
import torch.nn as nn

X = np.random.rand(100000, 64).astype(np.float32)
Y = (X @ np.random.rand(64, 1).astype(np.float32)) / np.float32(255.0)
device = torch.device("cuda")
x = torch.from_numpy(X).to(device)
y = torch.from_numpy(Y).to(device)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 1)).to(device)
opt = torch.optim.Adam(model.parameters())
for epoch in range(200):
    perm = torch.randperm(len(x), device=device)
    for i in range(0, len(x), 1024):
        idx = perm[i:i + 1024]
        opt.zero_grad()
        loss = ((model(x[idx]) - y[idx]) ** 2).mean()
        loss.backward()
        opt.step()
