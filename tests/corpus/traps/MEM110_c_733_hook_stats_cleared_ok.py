import torch


class ActivationStats:
    """Numbers only, and a fresh list for every epoch."""

    def __init__(self, net):
        self.means = []
        self.last = None
        self.handles = [m.register_forward_hook(self.hook) for m in net.modules() if isinstance(m, torch.nn.ReLU)]

    def hook(self, module, args, out):
        self.means.append(out.mean().item())
        self.last = out.detach()

    def close(self):
        for h in self.handles:
            h.remove()


def fit(net, loader, opt, crit, epochs):
    stats = ActivationStats(net)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
        print(epoch, sum(stats.means) / len(stats.means))
        stats.means = []
    stats.close()
