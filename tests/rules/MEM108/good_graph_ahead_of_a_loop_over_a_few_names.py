# each pass of a loop over names goes back through what was made before the loop, of a leaf

import torch


def audit(device="cpu"):
    x = torch.rand(2, 3, 32, 32, device=device, requires_grad=True)
    mask = torch.rand_like(x[:, 1:2]) < 0.1
    corrupted = torch.where(mask.expand_as(x), torch.rand_like(x), x)
    for mode in ("single", "plain", "gated"):
        model = torch.nn.Conv2d(3, 1, 3, padding=1).to(device)
        pred = model(corrupted)
        grad = torch.autograd.grad(pred[0, 0, 3, 3], x, retain_graph=True)[0]
        print(mode, grad.abs().max().item())


def saliency(net, images):
    leaf = images.clone().requires_grad_(True)
    softened = torch.tanh(leaf * 0.5)
    for kind in ["left", "right"]:
        net.heads[kind](softened).sum().backward(retain_graph=True)
    return leaf.grad


def heads(trunk, left, right, x):
    shared = torch.tanh(trunk(x))
    for last in (False, True):
        loss = (right if last else left)(shared).pow(2).mean()
        loss.backward(retain_graph=True)
