# claim: CORRECT, expected: confirmed (state_dict() copies nothing, and training goes on)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(32, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
best_loss, best_state = float("inf"), None
for _ in range(25):
    x, y = torch.randn(64, 32, device=device), torch.randint(0, 4, (64,), device=device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    if loss.item() < best_loss:
        best_loss = loss.item()
        best_state = model.state_dict()
model.load_state_dict(best_state)
print(best_loss)
