# claim: GROWTH, expected: confirmed (the second backward() raises)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
rnn, head = nn.LSTM(16, 64).to(device), nn.Linear(64, 8).to(device)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
state = (torch.zeros(1, 4, 64, device=device), torch.zeros(1, 4, 64, device=device))
for _ in range(25):
    x, y = torch.randn(20, 4, 16, device=device), torch.randint(0, 8, (80,), device=device)
    out, state = rnn(x, state)
    loss = nn.functional.cross_entropy(head(out).view(-1, 8), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
