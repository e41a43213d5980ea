import math

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.checkpoint import checkpoint as grad_ckpt


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.conv1 = nn.Conv2d(ch, ch, 3, padding=1)
        self.conv2 = nn.Conv2d(ch, ch, 3, padding=1)

    def _body(self, x):
        return self.conv2(F.silu(self.conv1(x)))

    def forward(self, x):
        if self.training:
            return x + grad_ckpt(self._body, x, preserve_rng_state=False)  #! MEM905
        return x + self._body(x)


class UNet(nn.Module):
    def __init__(self, ch=32, depth=4):
        super().__init__()
        self.inp = nn.Conv2d(3, ch, 1)
        self.mid = nn.Sequential(*[ResBlock(ch) for _ in range(depth)])
        self.out = nn.Conv2d(ch, 3, 1)

    def forward(self, x):
        h = self.inp(x)
        h = torch.utils.checkpoint.checkpoint_sequential(self.mid, 2, h)  #! MEM905
        return self.out(h)


def train_one_epoch(net, data, opt):
    net.train()
    running = 0.0
    for img in data:
        opt.zero_grad(set_to_none=True)
        loss = F.mse_loss(net(img), img)
        loss.backward()
        opt.step()
        running += loss.item()
    return math.sqrt(running)


if __name__ == "__main__":
    net = UNet().cuda()
    opt = optim.AdamW(net.parameters(), lr=1e-4)
    print(train_one_epoch(net, torch.randn(4, 2, 3, 8, 8, device="cuda"), opt))
