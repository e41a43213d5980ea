import torch


class Solver:
    def __init__(self, net, path=None):
        self.net = net.cuda()
        self.opt = torch.optim.Adam(self.net.parameters())
        self.start = self._resume(path) if path else 0

    def _resume(self, path):
        ckpt = torch.load(path, map_location="cpu")
        self.net.load_state_dict(ckpt["net"])
        self.opt.load_state_dict(ckpt["opt"])
        return ckpt["step"]

    def train(self, loader):
        for i, x in enumerate(loader, self.start):
            self.opt.zero_grad()
            self.net(x.cuda()).mean().backward()
            self.opt.step()
            if i % 100 == 0:
                torch.save({"first": x[0].clone(), "step": i, "net": self.net.state_dict()}, f"sample{i}.pt")


def flat(path, net, loader):
    saved = torch.load(path, map_location="cpu")
    net.load_state_dict(saved)
    del saved
    lr = torch.load("meta.pt", map_location="cpu")["lr"]
    opt = torch.optim.SGD(net.parameters(), lr)
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
