# claim: PEAK, expected: confirmed (activations and gradients of a part that no optimizer trains)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(32, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh())
        self.head = nn.Linear(512, 10)

    def forward(self, x):
        return self.head(self.backbone(x))


model = Classifier().to(device)
optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-3)
for _ in range(25):
    x, y = torch.randn(256, 32, device=device), torch.randint(0, 10, (256,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
