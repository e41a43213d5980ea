# a loss outside autocast, stepped without the scaler

import torch

actor = torch.nn.Linear(4, 2).cuda()
log_alpha = torch.zeros(1, requires_grad=True, device="cuda")
opt = torch.optim.Adam(actor.parameters())
alpha_opt = torch.optim.Adam([log_alpha])
scaler = torch.amp.GradScaler("cuda")
for obs in torch.randn(20, 5, 4, device="cuda"):
    with torch.autocast("cuda"):
        loss = actor(obs).mean()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    alpha_loss = (log_alpha * loss.detach().float()).sum()
    alpha_opt.zero_grad()
    alpha_loss.backward()
    alpha_opt.step()
