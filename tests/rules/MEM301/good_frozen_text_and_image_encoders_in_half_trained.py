# frozen text and image encoders in half, trained network in float32 (diffusion fine-tuning)

import torch
from accelerate import Accelerator
from diffusers import AutoencoderKL, UNet2DConditionModel

accelerator = Accelerator(mixed_precision="fp16")
vae = AutoencoderKL.from_pretrained("sd", subfolder="vae", torch_dtype=torch.float16)
unet = UNet2DConditionModel.from_pretrained("sd", subfolder="unet")
vae.requires_grad_(False)
vae.to(accelerator.device, dtype=torch.float16)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-5)
unet, optimizer = accelerator.prepare(unet, optimizer)
for pixels in torch.randn(10, 1, 3, 64, 64):
    latents = vae.encode(pixels.half()).latent_dist.sample()
    loss = unet(latents.float(), 0, None).sample.pow(2).mean()
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
