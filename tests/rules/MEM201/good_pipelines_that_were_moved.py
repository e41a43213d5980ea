# a pipeline is moved like a network, and its call runs without recording

import torch
from diffusers import StableDiffusionPipeline


def samples(prompts, device):
    pipeline = StableDiffusionPipeline.from_pretrained("some/model")
    pipeline = pipeline.to(device)
    images = []
    for i in range(len(prompts)):
        with torch.autocast("cuda"):
            image = pipeline(prompts[i], num_inference_steps=20).images[0]
        images.append(image)
    return images


class Painter:
    def __init__(self, pipe, refiner_pipe):
        self.pipe = pipe.to("cuda")
        self.refiner_pipe = refiner_pipe.cuda()

    def paint(self, prompts):
        return [self.refiner_pipe(self.pipe(p).images[0]).images[0] for p in prompts]


def train(loader, network, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(network(x.cuda()), y.cuda()).backward()
        optimizer.step()


def main(loader, network, optimizer, pipe, refiner):
    train(loader, network, optimizer)
    print(samples(["a", "b"], "cuda"), Painter(pipe, refiner).paint(["a", "b"]))
