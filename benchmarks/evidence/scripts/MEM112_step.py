# claim: PEAK, expected: confirmed (the peak lies in the step of Adam, where the output is still named)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(32, 4000).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), foreach=False)
for _ in range(25):
    x, y = torch.randn(4, 32, device=device), torch.randint(0, 4000, (4,), device=device)
    output = model(x)
    loss = criterion(output, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
