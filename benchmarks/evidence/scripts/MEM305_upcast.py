# claim: PEAK, expected: inconclusive (no fix to compare with: the loss would be another one)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 32000).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    x = torch.randn(512, 64, device=device)
    y = torch.randint(0, 32000, (512,), device=device)
    optimizer.zero_grad()
    with torch.autocast(device, dtype=torch.bfloat16):
        logits = net(x)
    loss = nn.functional.cross_entropy(logits.float(), y)
    loss.backward()
    optimizer.step()
