# claim: STATIC, expected: not_measurable (the claim is about the size of a file)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
table = nn.Embedding(10_000, 64).to(device)
optimizer = torch.optim.SGD(table.parameters(), lr=0.01)
for _ in range(20):
    tokens = torch.randint(0, 10_000, (256,), device=device)
    optimizer.zero_grad()
    table(tokens).pow(2).mean().backward()
    optimizer.step()
features = torch.cat([table(torch.arange(1_000, device=device)).detach() for _ in range(4)])
torch.save(features[:10], "features.pt")
