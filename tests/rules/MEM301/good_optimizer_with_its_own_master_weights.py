# an optimizer with its own master weights

import torch
from apex.optimizers import FusedAdam

model = torch.nn.Linear(4, 2).cuda().half()
optimizer = FusedAdam(model.parameters(), lr=1e-3, master_weights=True)
for x in torch.randn(10, 2, 4, device="cuda"):
    optimizer.zero_grad()
    model(x.half()).float().pow(2).mean().backward()
    optimizer.step()
