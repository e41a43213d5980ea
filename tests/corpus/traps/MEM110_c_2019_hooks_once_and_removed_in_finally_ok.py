# The hooks live for one attribution each, whatever happens in it.
import torch
from torch import nn


def saliency(net, layer, image):
    store = {}
    handles = [
        layer.register_forward_hook(lambda m, i, o: store.update(act=o)),
        layer.register_full_backward_hook(lambda m, gi, go: store.update(grad=go[0])),
    ]
    try:
        net.zero_grad()
        net(image).max().backward()
        weights = store["grad"].mean((2, 3), keepdim=True)
        return (weights * store["act"]).sum(1).clamp(min=0).detach()
    finally:
        for handle in handles:
            handle.remove()


net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(6, 4))
maps = []
for _ in range(50):
    maps.append(saliency(net, net[0], torch.randn(1, 3, 32, 32)))
print(torch.stack(maps).mean())
