import os

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True,garbage_collection_threshold:0.8")

import torch
from diffusers import StableDiffusionPipeline

pipe = StableDiffusionPipeline.from_pretrained("runwayml/stable-diffusion-v1-5").to("cuda")


def dreambooth(unet, latents, prompts):
    opt = torch.optim.AdamW(unet.parameters(), lr=5e-6)
    for z, p in zip(latents, prompts):
        t = torch.randint(0, 1000, (1,), device="cuda")
        loss = (unet(z, t, p).sample - z).pow(2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
