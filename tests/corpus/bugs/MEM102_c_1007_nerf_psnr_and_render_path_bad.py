import os

import imageio
import numpy as np
import torch
import torch.nn as nn
from tqdm import tqdm, trange

img2mse = lambda x, y: torch.mean((x - y) ** 2)
mse2psnr = lambda x: -10.0 * torch.log(x) / torch.log(torch.Tensor([10.0]).to(x.device))
to8b = lambda x: (255 * np.clip(x, 0, 1)).astype(np.uint8)


class NeRF(nn.Module):
    def __init__(self, D=8, W=256, input_ch=63):
        super().__init__()
        self.pts = nn.ModuleList([nn.Linear(input_ch, W)] + [nn.Linear(W, W) for _ in range(D - 1)])
        self.head = nn.Linear(W, 4)

    def forward(self, x):
        for layer in self.pts:
            x = torch.relu(layer(x))
        return self.head(x)


def batchify(fn, chunk):
    def ret(inputs):
        return torch.cat([fn(inputs[i:i + chunk]) for i in range(0, inputs.shape[0], chunk)], 0)
    return ret


def render_rays(rays, network, chunk=1024 * 64):
    raw = batchify(network, chunk)(rays)
    weights = torch.softmax(raw[..., 3:], 0)
    return weights * torch.sigmoid(raw[..., :3])


def render_path(poses, network, savedir):
    rgbs = []
    for i, pose in enumerate(tqdm(poses)):
        rays = torch.cat([pose.expand(1024, 3)] * 21, -1)
        rgb = render_rays(rays, network)
        rgbs.append(rgb.cpu().numpy())
        imageio.imwrite(os.path.join(savedir, f"{i:03d}.png"), to8b(rgbs[-1]))
    return np.stack(rgbs, 0)


def train(images, rays, render_poses, basedir):
    model = NeRF().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4, betas=(0.9, 0.999))
    psnrs = []
    N_iters = 200000
    for i in trange(1, N_iters):
        idx = np.random.choice(len(images), 1024)
        target_s = images[idx].cuda()
        rgb = render_rays(rays[idx].cuda(), model)
        optimizer.zero_grad()
        loss = img2mse(rgb, target_s)
        psnr = mse2psnr(loss)
        loss.backward()
        optimizer.step()
        for param_group in optimizer.param_groups:
            param_group["lr"] = 5e-4 * 0.1 ** (i / 250000)
        psnrs.append(psnr)  #! MEM102
        if i % 50000 == 0:
            with torch.no_grad():
                render_path(render_poses, model, basedir)
        if i % 100 == 0:
            tqdm.write(f"[TRAIN] Iter: {i} Loss: {loss.item()}  PSNR: {sum(psnrs[-100:]) / 100}")
