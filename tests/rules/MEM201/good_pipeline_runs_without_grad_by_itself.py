# a pipeline of diffusers runs under no_grad itself, and one of Flax has no autograd

import torch
from diffusers import FlaxStableDiffusionPipeline, StableDiffusionControlNetPipeline


def validate(net, prompts):
    pipeline = StableDiffusionControlNetPipeline.from_pretrained("x", controlnet=net)
    flax, params = FlaxStableDiffusionPipeline.from_pretrained("y")
    shown = []
    for prompt in prompts:
        shown.append(pipeline(prompt).images[0])
        shown.append(flax(prompt_ids=prompt, params=params).images)
    return shown


net = torch.nn.Linear(3, 3)
net.eval()
validate(net, ["a", "b"])
