# accumulation over an inner loop of micro-batches: cleared once per step, which is the outer loop

import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
for step in range(100):
    optimizer.zero_grad()
    for micro in range(4):
        loss = model(torch.randn(2, 4)).pow(2).mean() / 4
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
