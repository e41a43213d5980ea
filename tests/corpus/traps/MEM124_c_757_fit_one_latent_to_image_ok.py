import torch
from tqdm import trange


def invert(generator, perceptual, target, steps=500):
    """The latent is trained, the generator stays: the same target in every iteration."""
    for p in generator.parameters():
        p.requires_grad_(False)
    for p in perceptual.parameters():
        p.requires_grad_(False)
    with torch.no_grad():
        goal = perceptual(target)
    w = torch.zeros(1, 512, requires_grad=True)
    opt = torch.optim.Adam([w], lr=0.05)
    bar = trange(steps)
    for _ in bar:
        image = generator(w)
        loss = (perceptual(image) - goal).pow(2).mean() + (image - target).abs().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        bar.set_description(f"{loss.item():.4f}")
    return w.detach()
