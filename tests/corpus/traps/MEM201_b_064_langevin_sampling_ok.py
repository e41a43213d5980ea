import torch


class EBM:
    def __init__(self, net):
        self.net = net
        self.buffer = [torch.rand(1, 1, 28, 28) for _ in range(1000)]

    def sample(self, x, steps=60, lr=10.):
        was = self.net.training
        self.net.eval()
        for p in self.net.parameters():
            p.requires_grad = False
        for _ in range(steps):
            x = x.detach().requires_grad_(True)
            e = self.net(x).sum()
            e.backward()
            x = x - lr * x.grad.clamp(-0.03, 0.03) + 0.005 * torch.randn_like(x)
        for p in self.net.parameters():
            p.requires_grad = True
        self.net.train(was)
        x = x.detach().clamp(0, 1)
        self.buffer = (list(x.cpu().chunk(x.size(0))) + self.buffer)[:8192]
        return x
