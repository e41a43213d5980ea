"""Compares pictures of two folders: the measure has no weights, so there is no graph."""

import torch
from measures import PSNR

psnr = PSNR(peak=255.0)
total = 0.0
for found, wanted in torch.utils.data.DataLoader(torch.load("pairs.pt")):
    total += psnr(found, wanted).item()
print(total)
