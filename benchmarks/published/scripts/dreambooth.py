"""DreamBooth on Stable Diffusion 1.4 with its text encoder, in fp32, as PEFT's example of February 2023.

An instance and a class image of 512 x 512 make a batch. Attention was plain, AdamW went from tensor
to tensor (torch 1.13), and gradients were set to zero.
"""

import argparse
import itertools

import torch
from diffusers import AutoencoderKL, DDPMScheduler, UNet2DConditionModel
from diffusers.models.cross_attention import CrossAttnProcessor
from transformers import CLIPTextConfig, CLIPTextModel

parser = argparse.ArgumentParser()
parser.add_argument("--lora", action="store_true", help="rank 16 on the queries and values of both networks")
parser.add_argument("--checkpoint", action="store_true")
options = parser.parse_args()

unet = UNet2DConditionModel(sample_size=64, cross_attention_dim=768, attention_head_dim=8)
unet.set_attn_processor(CrossAttnProcessor())
vae = AutoencoderKL(
    down_block_types=("DownEncoderBlock2D",) * 4, up_block_types=("UpDecoderBlock2D",) * 4,
    block_out_channels=(128, 256, 512, 512), layers_per_block=2, sample_size=512,
)  # fmt: skip
text_encoder = CLIPTextModel(
    CLIPTextConfig(
        hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12
    )
)
if options.lora:
    from peft import LoraConfig, get_peft_model

    names = ["to_q", "to_v", "query", "value"]
    unet = get_peft_model(unet, LoraConfig(r=16, lora_alpha=27, target_modules=names, lora_dropout=0.0))
    text_encoder = get_peft_model(
        text_encoder, LoraConfig(r=16, lora_alpha=17, target_modules=["q_proj", "v_proj"], lora_dropout=0.0)
    )
vae.requires_grad_(False)
if options.checkpoint:
    unet.enable_gradient_checkpointing()
    if not options.lora:
        text_encoder.gradient_checkpointing_enable()
for network in (unet, text_encoder, vae):
    network.cuda()
unet.train()
text_encoder.train()
parameters = list(itertools.chain(unet.parameters(), text_encoder.parameters()))
optimizer = torch.optim.AdamW(parameters, lr=1e-4, foreach=False)
scheduler = DDPMScheduler(beta_schedule="scaled_linear", beta_start=0.00085, beta_end=0.012)
mse = torch.nn.functional.mse_loss
for _ in range(3):
    pixels, ids = torch.rand(2, 3, 512, 512).cuda(), torch.randint(49000, (2, 77)).cuda()
    latents = vae.encode(pixels).latent_dist.sample() * 0.18215
    noise = torch.randn_like(latents)
    timesteps = torch.randint(0, 1000, (2,), device="cuda").long()
    noisy = scheduler.add_noise(latents, noise, timesteps)
    states = text_encoder(ids)[0]
    predicted = unet(noisy, timesteps, states).sample
    own, prior = torch.chunk(predicted, 2, dim=0)
    target, target_prior = torch.chunk(noise, 2, dim=0)
    loss = mse(own.float(), target.float()) + mse(prior.float(), target_prior.float())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(parameters, 1.0, foreach=False)
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)
