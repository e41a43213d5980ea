import torch
from torch import nn


class GradCAM:
    def __init__(self, model, layer):
        self.model = model.eval()
        self.acts, self.grads = None, None
        layer.register_forward_hook(self._save)
        layer.register_full_backward_hook(self._save_grad)

    def _save(self, m, i, o):
        self.acts = o

    def _save_grad(self, m, gi, go):
        self.grads = go[0]

    def __call__(self, x, target=None):
        self.model.zero_grad()
        out = self.model(x)
        if target is None:
            target = out.argmax(1)
        out.gather(1, target.view(-1, 1)).sum().backward()
        w = self.grads.mean((2, 3), keepdim=True)
        return torch.relu((w * self.acts).sum(1)).detach()


def visualize(model, loader):
    cam = GradCAM(model, model.layer4)
    maps = []
    for x, _ in loader:
        maps.append(cam(x.cuda()).cpu())
    return torch.cat(maps)
