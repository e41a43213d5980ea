"""Grad-CAM in a loop: a new hook for each image, none removed."""
import torch
from torchvision import models

model = models.resnet50(weights="DEFAULT").eval()
store = {}


def gradcam(img, cls):
    def fwd(m, i, o):
        store["act"] = o

    def bwd(m, gi, go):
        store["grad"] = go[0]

    model.layer4.register_forward_hook(fwd)  #! MEM110
    model.layer4.register_full_backward_hook(bwd)  #! MEM110
    score = model(img)[:, cls].sum()
    model.zero_grad()
    score.backward()
    w = store["grad"].mean((2, 3), keepdim=True)
    return (w * store["act"]).sum(1).relu().detach()


def run(paths, load):
    for p in paths:
        cam = gradcam(load(p), 281)
        torch.save(cam.cpu(), p + ".cam")
