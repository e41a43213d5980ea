# the fixed noise is drawn for TensorBoard only, while the losses use other forwards

import torch
import torchvision
from torch import nn, optim
from torch.utils.tensorboard import SummaryWriter

from engravings import loader

gen, disc = nn.Linear(64, 784), nn.Linear(784, 1)
og, od = optim.Adam(gen.parameters()), optim.Adam(disc.parameters())
bce, writer = nn.BCEWithLogitsLoss(), SummaryWriter()
fixed = torch.randn(32, 64)
for i, (real, _) in enumerate(loader):
    fake = gen(torch.randn(real.size(0), 64))
    d_real, d_fake = disc(real), disc(fake.detach())
    loss_d = bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))
    od.zero_grad()
    loss_d.backward()
    od.step()
    out = disc(fake)
    og.zero_grad()
    bce(out, torch.ones_like(out)).backward()
    og.step()
    if i % 500 == 0:
        shown = gen(fixed).reshape(-1, 1, 28, 28)  #! MEM201 warning
        writer.add_image("made", torchvision.utils.make_grid(shown, normalize=True), i)
