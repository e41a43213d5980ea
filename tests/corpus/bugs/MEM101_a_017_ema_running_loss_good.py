import itertools
import torch
import torch.nn.functional as F


def infinite(loader):
    while True:
        for batch in loader:
            yield batch


def train(diffusion, loader, optimizer, num_steps, device, log_every=100):
    data_iter = infinite(loader)
    ema_loss = None
    for step in range(num_steps):
        x0 = next(data_iter).to(device)
        t = torch.randint(0, 1000, (x0.shape[0],), device=device)
        noise = torch.randn_like(x0)
        pred = diffusion(diffusion.q_sample(x0, t, noise), t)
        loss = F.mse_loss(pred, noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if ema_loss is None:
            ema_loss = loss.detach()
        else:
            ema_loss = 0.99 * ema_loss + 0.01 * loss.detach()
        if step % log_every == 0:
            print(f"step {step} loss {ema_loss:.4f}")
