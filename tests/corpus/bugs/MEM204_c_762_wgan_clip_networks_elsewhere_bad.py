import argparse

import torch

from models.generator import Generator
from models.critic import Critic


def main(loader):
    p = argparse.ArgumentParser()
    p.add_argument("--n-critic", type=int, default=5)
    p.add_argument("--clip", type=float, default=0.01)
    opt = p.parse_args()
    generator, critic = Generator(100).cuda(), Critic().cuda()
    optimizer_G = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
    optimizer_D = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    for i, (imgs, _) in enumerate(loader):
        real = imgs.cuda()
        z = torch.randn(len(imgs), 100, device="cuda")
        optimizer_D.zero_grad()
        fake = generator(z)  #! MEM204
        loss_D = -critic(real).mean() + critic(fake).mean()  #= MEM204
        loss_D.backward()
        optimizer_D.step()
        for w in critic.parameters():
            w.data.clamp_(-opt.clip, opt.clip)
        if i % opt.n_critic == 0:
            optimizer_G.zero_grad()
            loss_G = -critic(generator(z)).mean()
            loss_G.backward()
            optimizer_G.step()


if __name__ == "__main__":
    main(__import__("data").loader)
