import torch


def train(G, D, sample, G_opt, D_opt, steps, num_D_steps=2, device="cuda"):
    for it in range(steps):
        D_opt.zero_grad()
        for step_index in range(num_D_steps):
            x = sample().to(device)
            z = torch.randn(x.size(0), 120, device=device)
            with torch.no_grad():
                fake = G(z)
            D_loss = torch.relu(1 - D(x)).mean() + torch.relu(1 + D(fake)).mean()
            D_loss.backward()  #! MEM121
            D_opt.step()
        G_opt.zero_grad()
        z = torch.randn(x.size(0), 120, device=device)
        G_loss = -D(G(z)).mean()
        G_loss.backward()
        G_opt.step()
        if it % 100 == 0:
            print(it, D_loss.item(), G_loss.item())
