# claim: PEAK, expected: not_measurable (a checkpoint that was saved from the CPU is loaded there)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 4)).to(device)
torch.save(model.state_dict(), "weights.pt")
model.load_state_dict(torch.load("weights.pt"))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 256, device=device), torch.randint(0, 4, (64,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
