# both networks come from a file that is not in view; inside the function they are the same objects

import torch
from parts import critic, pictures, painter

critic_opt = torch.optim.Adam(critic.parameters())
painter_opt = torch.optim.Adam(painter.parameters())


def fit():
    for real in pictures:
        critic.zero_grad()
        fake = painter(torch.randn(len(real), 32).cuda())
        (critic(fake.detach()) - critic(real.cuda())).mean().backward()
        critic_opt.step()
        painter.zero_grad()
        (-critic(fake)).mean().backward()
        painter_opt.step()


fit()
