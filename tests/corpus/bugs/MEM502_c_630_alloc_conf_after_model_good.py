import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:512"
import torch
from diffusers import UNet2DModel

device = "cuda"
unet = UNet2DModel(sample_size=32).to("cuda")
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-4)
for _ in range(10):
    x = torch.randn(2, 3, 32, 32, device=device)
    optimizer.zero_grad()
    unet(x, 1).sample.square().mean().backward()
    optimizer.step()
