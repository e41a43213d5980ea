import torch
from torch import nn
from tqdm import tqdm


class Diffusion(nn.Module):
    def __init__(self, model, steps=1000):
        super().__init__()
        self.model, self.steps = model, steps

    def p_losses(self, x, t):
        noise = torch.randn_like(x)
        return nn.functional.mse_loss(self.model(x + noise, t), noise)

    @torch.no_grad()
    def p_sample(self, x, t):
        return x - self.model(x, torch.full((len(x),), t, device=x.device))

    @torch.no_grad()
    def sample(self, shape, device):
        img = torch.randn(shape, device=device)
        imgs = [img]
        for t in tqdm(reversed(range(self.steps))):
            img = self.p_sample(img, t)
            imgs.append(img)
        return torch.stack(imgs)

    def forward(self, x):
        return self.p_losses(x, torch.randint(0, self.steps, (len(x),), device=x.device))


def train(diffusion, loader, opt):
    for step, x in enumerate(loader):
        loss = diffusion(x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 1000 == 0:
            diffusion.eval()
            diffusion.sample((16, 3, 32, 32), x.device)
            diffusion.train()
