import copy

import torch


class Diffusion:
    def __init__(self, unet, loader):
        self.unet, self.loader = unet.cuda(), loader
        self.ema = copy.deepcopy(self.unet).requires_grad_(False)
        self.opt = torch.optim.AdamW(self.unet.parameters(), 1e-4)

    @torch.no_grad()
    def compare(self, x):
        """The loss of the plain and of the averaged weights on one batch."""
        with torch.autocast("cuda", torch.float16):
            plain = (self.unet(x) - x).pow(2).mean()
            kept = copy.deepcopy(self.unet.state_dict())
        self.unet.load_state_dict(self.ema.state_dict())
        with torch.autocast("cuda", torch.float16):
            averaged = (self.unet(x) - x).pow(2).mean()
        self.unet.load_state_dict(kept)
        return plain.item(), averaged.item()
