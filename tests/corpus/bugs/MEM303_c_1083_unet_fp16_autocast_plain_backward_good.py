import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DModel
from diffusers.optimization import get_cosine_schedule_with_warmup

unet = UNet2DModel(sample_size=64, in_channels=3, out_channels=3).cuda()
noise_scheduler = DDPMScheduler(num_train_timesteps=1000)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda")


def train_loop(dataloader, num_epochs):
    lr_scheduler = get_cosine_schedule_with_warmup(optimizer, 500, len(dataloader) * num_epochs)
    for epoch in range(num_epochs):
        for batch in dataloader:
            clean = batch["images"].cuda()
            noise = torch.randn_like(clean)
            t = torch.randint(0, 1000, (len(clean),), device="cuda")
            noisy = noise_scheduler.add_noise(clean, noise, t)
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                pred = unet(noisy, t, return_dict=False)[0]
                loss = F.mse_loss(pred, noise)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            lr_scheduler.step()
