import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from peft import LoraConfig, get_peft_model


def main(loader, text_encoder):
    weight_dtype = torch.float16
    vae = AutoencoderKL.from_pretrained("sd", subfolder="vae")
    vae.requires_grad_(False)
    text_encoder.requires_grad_(False)
    vae.to("cuda", dtype=weight_dtype)
    text_encoder.to("cuda", dtype=weight_dtype)
    unet = UNet2DConditionModel.from_pretrained("sd", subfolder="unet").cuda()
    unet = get_peft_model(unet, LoraConfig(r=4, target_modules=["to_q", "to_v"]))
    params = [p for p in unet.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(params, 1e-4)
    for pixels, ids in loader:
        with torch.no_grad():
            latents = vae.encode(pixels.cuda().half()).latent_dist.sample() * 0.18215
            cond = text_encoder(ids.cuda())[0]
        noise = torch.randn_like(latents)
        with torch.autocast("cuda"):
            loss = (unet(latents + noise, 500, cond).sample - noise).pow(2).mean()
        opt.zero_grad()
        loss.backward()  #! MEM303
        opt.step()
