import torch
from torch import nn
import torch.nn.functional as F


def psnr(a, b):
    return -10.0 * torch.log10(F.mse_loss(a, b))


def train_sr(model, discriminator, loader, epochs, device):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-4)
    for epoch in range(epochs):
        sum_psnr = 0
        n = 0
        for lr_img, hr_img in loader:
            lr_img, hr_img = lr_img.to(device), hr_img.to(device)
            sr = model(lr_img)
            loss = F.l1_loss(sr, hr_img)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sum_psnr += psnr(sr, hr_img)  #! MEM101
            n += 1
        print("epoch %d psnr %.2f" % (epoch, sum_psnr / n))
