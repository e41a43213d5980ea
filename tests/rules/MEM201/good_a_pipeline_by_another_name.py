# pipelines of diffusers see to the grad mode, whatever they are called

import torch


def show(model, loader, folder):
    for batch in loader:
        images = model(prompt=batch["text"], num_inference_steps=20, guidance_scale=7.5)[0]
        images[0].save(folder / f"{batch['id']}.png")


def score(sd_model, metric, loader):
    for batch in loader:
        images = sd_model(batch["text"]).images
        metric.update(torch.stack([batch["to_tensor"](image) for image in images]))
    print(metric.compute())


class Report:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader

    def evaluate(self):
        for batch in self.loader:
            print(self.model(batch["text"], output_type="np").images.mean())
