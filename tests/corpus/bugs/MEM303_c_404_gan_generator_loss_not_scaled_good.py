import torch
from torch import nn

device = "cuda"
netG = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 32)).to(device)
netD = nn.Sequential(nn.Linear(32, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).to(device)
optG = torch.optim.Adam(netG.parameters(), 2e-4)
optD = torch.optim.Adam(netD.parameters(), 2e-4)
bce = nn.BCEWithLogitsLoss()
scaler = torch.amp.GradScaler(device)

for real in torch.randn(50, 8, 32, device=device):
    z = torch.randn(8, 16, device=device)
    optD.zero_grad()
    with torch.autocast(device, dtype=torch.float16):
        fake = netG(z)
        d_loss = bce(netD(real), torch.ones(8, 1, device=device)) + bce(
            netD(fake.detach()), torch.zeros(8, 1, device=device)
        )
    scaler.scale(d_loss).backward()
    scaler.step(optD)

    optG.zero_grad()
    with torch.autocast(device, dtype=torch.float16):
        g_loss = bce(netD(fake), torch.ones(8, 1, device=device))
    scaler.scale(g_loss).backward()
    scaler.step(optG)
    scaler.update()
