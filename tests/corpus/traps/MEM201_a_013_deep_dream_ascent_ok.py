import torch
from torchvision import models, transforms


def dream(image, model, layer, iterations=20, lr=0.05):
    model.eval()
    img = image.clone().requires_grad_(True)
    for i in range(iterations):
        model.zero_grad()
        act = img
        for k, module in enumerate(model.features):
            act = module(act)
            if k == layer:
                break
        loss = act.norm()
        loss.backward()
        g = img.grad.data
        img.data += lr * g / (g.abs().mean() + 1e-8)
        img.grad.zero_()
    return img.detach()


def main(image):
    vgg = models.vgg19(weights="DEFAULT").cuda()
    octave = image.cuda()
    for scale in (0.5, 0.75, 1.0):
        octave = dream(torch.nn.functional.interpolate(octave, scale_factor=scale), vgg, 28)
    return octave.cpu()
