# samples of the averaged network in the training loop of a diffusion

import copy

import torch
from torchvision.utils import save_image

average = copy.deepcopy(model)
for step, images in enumerate(loader):
    loss = diffusion_loss(model(images.cuda()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 1000 == 0:
        sample = torch.randn(16, 3, 32, 32).cuda()
        for t in reversed(range(1000)):
            sample = denoise(average(sample, t), sample, t)  #! MEM201 warning
        save_image(sample, "sample.png")
