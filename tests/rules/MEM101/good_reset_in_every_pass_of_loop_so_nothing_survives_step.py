# reset in every pass of the loop, so nothing survives the step

import torch
import torch.nn.functional as F

model = torch.nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in [(torch.randn(4, 6), torch.randint(0, 3, (4,)))] * 10:
        batch_loss = 0
        logits = model(x)
        batch_loss = batch_loss + F.cross_entropy(logits, y)
        optimizer.zero_grad()
        batch_loss.backward()
        optimizer.step()
        print(batch_loss.item())
