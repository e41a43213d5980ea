# the losses come from elsewhere: whether they share a graph cannot be told

import torch
from objectives import content_loss, style_loss


def stylise(image, targets, steps):
    image.requires_grad_(True)
    opt = torch.optim.Adam([image], lr=0.02)
    content, style = targets
    for _ in range(steps):
        opt.zero_grad()
        one = content_loss(image, content)
        two = style_loss(image, style)
        one.backward(retain_graph=True)
        two.backward()
        opt.step()
