# two optimizers, one update

import torch

gen, disc = torch.nn.Linear(4, 6).cuda(), torch.nn.Linear(6, 1).cuda()
opt_g, opt_d = (torch.optim.Adam(m.parameters()) for m in (gen, disc))
scaler = torch.amp.GradScaler("cuda")
for real in torch.randn(20, 5, 6, device="cuda"):
    with torch.autocast("cuda"):
        fake = gen(torch.randn(5, 4, device="cuda"))
        d_loss = (1 - disc(real)).relu().mean() + (1 + disc(fake.detach())).relu().mean()
    opt_d.zero_grad()
    scaler.scale(d_loss).backward()
    scaler.step(opt_d)
    with torch.autocast("cuda"):
        g_loss = -disc(fake).mean()
    opt_g.zero_grad()
    scaler.scale(g_loss).backward()
    scaler.step(opt_g)
    scaler.update()
