import torch
from torch.utils.data import DataLoader


class InfiniteSampler:
    def __init__(self, loader):
        self.loader = loader

    def sample(self):
        return next(iter(self.loader))  #! MEM405


def train_gan(G, D, real, args):
    sampler = InfiniteSampler(DataLoader(real, args.bs, shuffle=True, num_workers=4, drop_last=True))
    og = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), 1e-4, betas=(0.0, 0.9))
    for it in range(args.iters):
        for _ in range(5):
            x = sampler.sample()  #= MEM405
            z = torch.randn(len(x), args.nz)
            od.zero_grad()
            (D(G(z).detach()).mean() - D(x).mean()).backward()
            od.step()
        og.zero_grad()
        (-D(G(torch.randn(args.bs, args.nz))).mean()).backward()
        og.step()
