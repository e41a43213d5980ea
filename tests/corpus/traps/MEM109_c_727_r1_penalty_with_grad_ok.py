import torch


class R1:
    def __init__(self, weight, every):
        self.weight, self.every = weight, every

    def __call__(self, D, real):
        real = real.detach().requires_grad_(True)
        grad, = torch.autograd.grad(D(real).sum(), real, create_graph=True)
        return self.weight / 2 * grad.pow(2).sum([1, 2, 3]).mean() * self.every


def train_d(D, G, opt, loader, reg):
    for i, (real, _) in enumerate(loader):
        real = real.cuda()
        with torch.no_grad():
            fake = G(torch.randn(len(real), 512, device="cuda"))
        loss = torch.nn.functional.softplus(D(fake)).mean() + torch.nn.functional.softplus(-D(real)).mean()
        if i % reg.every == 0:
            loss = loss + reg(D, real)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
