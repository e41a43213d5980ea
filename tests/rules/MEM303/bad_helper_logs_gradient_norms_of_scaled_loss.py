# a helper logs gradient norms of the scaled loss

import torch
from torch import nn


def log_gradients(network):
    for name, parameter in network.named_parameters():
        print(name, parameter.grad.norm().item())  #! MEM303 warning


network = nn.Linear(5, 5).to("cuda")
optimizer = torch.optim.Adagrad(network.parameters())
scaler = torch.amp.GradScaler("cuda")
for batch in torch.randn(30, 2, 5).to("cuda"):
    with torch.autocast("cuda"):
        loss = network(batch).mean()
    scaler.scale(loss).backward()
    log_gradients(network)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
