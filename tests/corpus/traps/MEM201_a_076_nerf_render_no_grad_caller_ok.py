import numpy as np
import torch


class Renderer:
    def __init__(self, net):
        self.net = net

    def render_rays(self, rays):
        rgbs = []
        for chunk in rays.split(4096):
            rgbs.append(self.net(chunk))
        return torch.cat(rgbs)

    def render_image(self, pose):
        return self.render_rays(pose.rays())


def train(renderer, dataset, test_poses, iters):
    opt = torch.optim.Adam(renderer.net.parameters(), 5e-4)
    for i in range(iters):
        rays, target = dataset.sample()
        loss = ((renderer.render_rays(rays) - target) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 1000 == 0:
            with torch.no_grad():
                images = [renderer.render_image(p).cpu().numpy() for p in test_poses]
            np.save(f"test_{i}.npy", images)
