"""GitHub: "expandable_segments does not change anything"."""
import os
import sys

import torch
from diffusers import StableDiffusionPipeline

pipe = StableDiffusionPipeline.from_pretrained("runwayml/stable-diffusion-v1-5").to("cuda")
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"  #! MEM502


def dreambooth(unet, latents, prompts):
    opt = torch.optim.AdamW(unet.parameters(), lr=5e-6)
    for z, p in zip(latents, prompts):
        t = torch.randint(0, 1000, (1,), device="cuda")
        loss = (unet(z, t, p).sample - z).pow(2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()


if __name__ == "__main__":
    dreambooth(pipe.unet, torch.load(sys.argv[1], map_location="cuda"), torch.load(sys.argv[2], map_location="cuda"))
