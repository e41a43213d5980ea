# path length regularisation, mean kept over the run
import argparse
import math

import torch
from torch import autograd, nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--iter", type=int, default=800)
parser.add_argument("--path_regularize", type=float, default=2.0)
parser.add_argument("--g_reg_every", type=int, default=4)
args = parser.parse_args()
device = "cuda"


class Synthesis(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.mapping = nn.Sequential(nn.Linear(dim, dim), nn.LeakyReLU(0.2), nn.Linear(dim, dim))
        self.to_img = nn.Sequential(nn.Linear(dim, 256), nn.LeakyReLU(0.2), nn.Linear(256, 3 * 16 * 16))

    def forward(self, z):
        w = self.mapping(z)
        return self.to_img(w).view(-1, 3, 16, 16), w


def g_path_regularize(fake_img, latents, mean_path_length, decay=0.01):
    noise = torch.randn_like(fake_img) / math.sqrt(fake_img.shape[2] * fake_img.shape[3])
    (grad,) = autograd.grad((fake_img * noise).sum(), latents, create_graph=True)
    path_lengths = grad.pow(2).sum(1).sqrt()
    path_mean = mean_path_length + decay * (path_lengths.mean() - mean_path_length)  #= MEM107
    path_penalty = (path_lengths - path_mean).pow(2).mean()
    return path_penalty, path_mean.detach(), path_lengths


generator = Synthesis().to(device)
g_optim = optim.Adam(generator.parameters(), lr=2e-3, betas=(0, 0.99))
mean_path_length = 0
for i in range(args.iter):
    if i % args.g_reg_every == 0:
        noise = torch.randn(8, 64, device=device)
        fake_img, latents = generator(noise)
        path_loss, mean_path_length, path_lengths = g_path_regularize(fake_img, latents, mean_path_length)
        generator.zero_grad()  #? MEM122
        (args.path_regularize * args.g_reg_every * path_loss).backward()
        g_optim.step()
