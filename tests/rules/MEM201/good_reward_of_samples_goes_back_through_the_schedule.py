# the last sample is rated, and the rating is differentiated through all steps of the schedule

import torch
from diffusers import DDIMScheduler, UNet2DModel

from rewards import rate

unet = UNet2DModel(sample_size=32, in_channels=1, out_channels=1).to("cuda")
schedule = DDIMScheduler(num_train_timesteps=1000)
schedule.set_timesteps(20)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-6)


def draw(count):
    pictures = torch.randn(count, 1, 32, 32, device="cuda")
    for t in schedule.timesteps:
        residual = unet(pictures, t).sample
        pictures = schedule.step(residual, t, pictures).prev_sample
    return pictures


for turn in range(500):
    loss = -rate(draw(4)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
