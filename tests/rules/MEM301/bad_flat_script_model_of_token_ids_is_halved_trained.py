# flat script: a model of token ids is halved, trained by Adam

import torch
from torch import nn

model = nn.Sequential(nn.Embedding(5000, 64), nn.Flatten(), nn.Linear(64 * 16, 10)).cuda()
model.half()  #! MEM301 error
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for step in range(500):
    tokens, labels = torch.randint(5000, (32, 16)).cuda(), torch.randint(10, (32,)).cuda()
    loss = nn.functional.cross_entropy(model(tokens), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
