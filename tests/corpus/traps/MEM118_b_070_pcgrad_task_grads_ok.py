import random
import torch


def pcgrad_step(model, losses, opt):
    grads = []
    for loss in losses:
        opt.zero_grad()
        loss.backward(retain_graph=True)
        grads.append(torch.cat([p.grad.flatten().clone() for p in model.parameters()]))
    merged = torch.zeros_like(grads[0])
    for g in grads:
        g = g.clone()
        for h in random.sample(grads, len(grads)):
            d = torch.dot(g, h)
            if d < 0:
                g -= d / h.norm() ** 2 * h
        merged += g
    i = 0
    for p in model.parameters():
        p.grad = merged[i:i + p.numel()].view_as(p).clone()
        i += p.numel()
    opt.step()
    opt.zero_grad()
