import torch
import torch.nn.functional as F


def adversarial(G, D, opt_g, opt_d, loader, z_dim):
    for real, _ in loader:
        z = torch.randn(real.size(0), z_dim, device=real.device)
        fake = G(z)
        d_real, d_fake = D(real), D(fake)  #? MEM204
        d_loss = F.softplus(-d_real).mean() + F.softplus(d_fake).mean()
        opt_d.zero_grad()
        d_loss.backward(retain_graph=True)
        opt_d.step()
        g_loss = F.softplus(-D(fake)).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
