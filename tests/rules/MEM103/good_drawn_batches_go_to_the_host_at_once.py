# moved in each turn, or one number of each turn

import torch
from gan import Generator

painter = Generator().cuda().eval()
pictures, guesses = [], []
with torch.no_grad():
    for _ in range(200):
        pictures.append(painter(torch.randn(64, 100, device="cuda")).cpu())
    x = torch.zeros(8, 100, device="cuda")
    for _ in range(10):
        guesses.append(painter(x + torch.randn(8, 100, device="cuda")).mean())
torch.save(torch.cat(pictures), "samples.pt")
print(torch.stack(guesses).mean().item())
