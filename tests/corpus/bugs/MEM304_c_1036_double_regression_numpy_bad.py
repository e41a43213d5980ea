import numpy as np
import torch
import torch.nn as nn

X = np.random.rand(100000, 64)
Y = (X @ np.random.rand(64, 1)) / 255.0
device = torch.device("cuda")
x = torch.from_numpy(X).to(device)  #! MEM304
y = torch.from_numpy(Y).to(device)  #! MEM304
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 1)).double().to(device)  #! MEM304
opt = torch.optim.Adam(model.parameters())
for epoch in range(200):
    perm = torch.randperm(len(x), device=device)
    for i in range(0, len(x), 1024):
        idx = perm[i:i + 1024]
        opt.zero_grad()
        loss = ((model(x[idx]) - y[idx]) ** 2).mean()
        loss.backward()
        opt.step()
