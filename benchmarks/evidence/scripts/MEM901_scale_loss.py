# claim: STATIC, expected: confirmed (torch.cuda.amp never had scale_loss)
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 10).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    loss = net(torch.randn(16, 64, device=device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
loss = net(torch.randn(16, 64, device=device)).mean()
with torch.cuda.amp.scale_loss(loss, optimizer) as scaled:
    scaled.backward()
