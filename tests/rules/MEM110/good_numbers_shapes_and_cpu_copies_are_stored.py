# numbers, shapes and CPU copies are stored

import torch

norms, shapes, feats = [], [], []


def measure(module, inputs, output):
    norms.append(output.norm().item())
    shapes.append(output.shape)
    feats.append(output.detach().cpu())


net = torch.nn.Linear(6, 6)
net.register_forward_hook(measure)
with torch.no_grad():
    for x in torch.randn(12, 3, 6):
        net(x)
