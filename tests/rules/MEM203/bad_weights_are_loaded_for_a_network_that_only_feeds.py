# a network of another file gets its weights here and is put into evaluation mode: its output feeds the one that trains

import torch
from torch import nn

from models import Denoiser, Refiner

device = torch.device("cuda")
coarse = Denoiser().to(device)
coarse.load_state_dict(torch.load("coarse.pt", map_location="cpu"))
coarse.eval()
refiner = Refiner().to(device)
optimizer = torch.optim.Adam(refiner.parameters(), lr=1e-4)
for clean, noisy in torch.utils.data.DataLoader(torch.load("pairs.pt"), batch_size=32):
    residual = coarse(noisy.to(device))  #! MEM203
    optimizer.zero_grad()
    nn.functional.l1_loss(refiner(noisy.to(device), residual), clean.to(device)).backward()
    optimizer.step()
