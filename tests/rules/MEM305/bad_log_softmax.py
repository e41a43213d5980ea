# The same in two steps, for a network that was converted.

import torch
import torch.nn.functional as F
from torch import nn

head = nn.Linear(256, 32_000)
head.to(dtype=torch.bfloat16, device="cuda")
optimizer = torch.optim.AdamW(head.parameters(), lr=1e-4)
for step in range(100):
    x = torch.randn(4096, 256, device="cuda", dtype=torch.bfloat16)
    log_probs = F.log_softmax(head(x).float(), dim=-1)  #! MEM305 advice
    loss = -log_probs[:, 0].mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
