# flat script: a model of token ids is halved, trained by Adam

import torch
from torch import nn

model = nn.Sequential(nn.Embedding(5000, 64), nn.Flatten(), nn.Linear(64 * 16, 10)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

scaler = torch.amp.GradScaler("cuda")
for step in range(500):
    tokens, labels = torch.randint(5000, (32, 16)).cuda(), torch.randint(10, (32,)).cuda()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(tokens), labels)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
