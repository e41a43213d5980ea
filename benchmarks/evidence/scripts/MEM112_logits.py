# claim: PEAK, expected: confirmed (exactly the logits: 512 x 4000 x 4 B)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Embedding(4000, 32), nn.Linear(32, 4000)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    tokens = torch.randint(0, 4000, (512,), device=device)
    logits = model(tokens)
    loss = nn.functional.cross_entropy(logits, tokens)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
