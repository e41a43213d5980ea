# claim: PEAK, expected: confirmed (the probabilities of the last batch lie beside the next one's graph)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 3200)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
right = 0
for _ in range(25):
    x, y = torch.randn(512, 32, device=device), torch.randint(0, 3200, (512,), device=device)
    out = model(x)
    loss = nn.functional.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    probs = out.detach().softmax(-1)
    right += (probs.argmax(-1) == y).sum().item()
print(right)
