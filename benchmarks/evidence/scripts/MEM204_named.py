# claim: PEAK, expected: refuted (`fake` names the graph, which then outlives the detached step)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
generator = nn.Sequential(
    nn.Linear(16, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 64)
).to(device)
discriminator = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).to(device)
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.01)
optimizer_d = torch.optim.SGD(discriminator.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()
for _ in range(25):
    real = torch.randn(256, 64, device=device)
    fake = generator(torch.randn(256, 16, device=device))
    optimizer_d.zero_grad()
    real_score, fake_score = discriminator(real), discriminator(fake)
    loss_d = criterion(real_score, torch.ones_like(real_score)) + criterion(
        fake_score, torch.zeros_like(fake_score)
    )
    loss_d.backward()
    optimizer_d.step()
    optimizer_g.zero_grad()
    score = discriminator(generator(torch.randn(16, 16, device=device)))
    loss_g = criterion(score, torch.ones_like(score))
    loss_g.backward()
    optimizer_g.step()
print(loss_d.item(), loss_g.item())
