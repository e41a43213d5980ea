# claim: STATIC, expected: not_measurable (the claim is a warning, not bytes)
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 10).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    with torch.cuda.amp.autocast():
        loss = net(torch.randn(16, 64, device=device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
