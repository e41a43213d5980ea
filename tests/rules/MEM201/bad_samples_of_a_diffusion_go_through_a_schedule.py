# the schedule of a diffusion library makes each next sample, all of which end as pictures

import torch
from diffusers import DDPMScheduler, UNet2DModel
from torch.nn import functional as F
from torchvision.utils import save_image

unet = UNet2DModel(sample_size=32, in_channels=1, out_channels=1).to("cuda")
noise_scheduler = DDPMScheduler(num_train_timesteps=1000)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-4)


def draw(count):
    pictures = torch.randn(count, 1, 32, 32, device="cuda")
    for t in noise_scheduler.timesteps:
        residual = unet(pictures, t).sample  #! MEM201 warning
        pictures = noise_scheduler.step(residual, t, pictures).prev_sample
    return pictures.clamp(-1, 1) / 2 + 0.5


def train(loader, epochs):
    for epoch in range(epochs):
        for clean in loader:
            clean = clean.to("cuda")
            noise = torch.randn_like(clean)
            t = torch.randint(0, 1000, (len(clean),), device="cuda")
            loss = F.mse_loss(unet(noise_scheduler.add_noise(clean, noise, t), t).sample, noise)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        save_image(draw(8), f"epoch-{epoch}.png")
