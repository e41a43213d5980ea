# pure bfloat16 training is advice

import torch
from torch import nn

model = nn.TransformerEncoderLayer(64, 4, batch_first=True).to(torch.bfloat16)  #! MEM301 advice
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(100):
    x = torch.randn(4, 16, 64, dtype=torch.bfloat16)
    optimizer.zero_grad()
    loss = (model(x) - x).pow(2).mean()
    loss.backward()
    optimizer.step()
