import torch
import torch.nn.functional as F
import torchvision
from tqdm import trange


def project(G, vgg, target, num_steps=1000, lr=0.1, w_avg_samples=10000, device="cuda"):
    with torch.no_grad():
        w_avg = G.mapping(torch.randn(w_avg_samples, G.z_dim, device=device)).mean(0, keepdim=True)
        target_features = vgg(target)
    w_opt = w_avg.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([w_opt], betas=(0.9, 0.999), lr=lr)
    for step in trange(num_steps):
        t = step / num_steps
        for group in optimizer.param_groups:
            group["lr"] = lr * min(1.0, t / 0.05)
        synth = G.synthesis(w_opt + torch.randn_like(w_opt) * 0.05 * (1 - t) ** 2)
        dist = F.mse_loss(vgg(synth), target_features)
        optimizer.zero_grad()
        dist.backward()
        optimizer.step()
    with torch.no_grad():
        torchvision.utils.save_image(G.synthesis(w_opt), "projected.png")
    return w_opt.detach()
