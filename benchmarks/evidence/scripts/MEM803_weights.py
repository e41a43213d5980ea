# claim: PEAK, expected: confirmed (the weights of each head, which nobody reads)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attend = nn.MultiheadAttention(width, 4, batch_first=True)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        y, _ = self.attend(x, x, x)
        return self.head(x + y)


net = Block(32).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
for _ in range(12):
    x = torch.randn(4, 256, 32, device=device)
    optimizer.zero_grad()
    net(x).mean().backward()
    optimizer.step()
