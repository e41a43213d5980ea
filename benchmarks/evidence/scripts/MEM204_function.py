# claim: PEAK, expected: confirmed (backward() no longer runs through the generator and makes its gradients)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
generator = nn.Sequential(
    nn.Linear(16, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 64)
).to(device)
discriminator = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).to(device)
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.01, foreach=False)
optimizer_d = torch.optim.SGD(discriminator.parameters(), lr=0.01, foreach=False)
criterion = nn.BCEWithLogitsLoss()


def train_discriminator(real):
    fake = generator(torch.randn(64, 16, device=device))
    optimizer_d.zero_grad()
    real_score, fake_score = discriminator(real), discriminator(fake)
    loss = criterion(real_score, torch.ones_like(real_score)) + criterion(
        fake_score, torch.zeros_like(fake_score)
    )
    loss.backward()
    optimizer_d.step()
    return loss.item()


def train_generator(size):
    optimizer_g.zero_grad()
    score = discriminator(generator(torch.randn(size, 16, device=device)))
    loss = criterion(score, torch.ones_like(score))
    loss.backward()
    optimizer_g.step()
    optimizer_g.zero_grad()
    return loss.item()


for _ in range(25):
    loss_d = train_discriminator(torch.randn(64, 64, device=device))
    loss_g = train_generator(4)
print(loss_d, loss_g)
