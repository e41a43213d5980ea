"""The loaded file stays on self through training; a view of a batch is saved in a dictionary."""
import torch


class Solver:
    def __init__(self, net, path=None):
        self.net = net.cuda()
        self.opt = torch.optim.Adam(self.net.parameters())
        self.ckpt = torch.load(path, map_location="cpu") if path else None  #! MEM702
        if self.ckpt is not None:
            self.net.load_state_dict(self.ckpt["net"])
            self.opt.load_state_dict(self.ckpt["opt"])

    def train(self, loader):
        for i, x in enumerate(loader):
            self.opt.zero_grad()
            out = self.net(x.cuda())
            out.mean().backward()
            self.opt.step()
            if i % 100 == 0:
                with torch.no_grad():
                    sample = {"first": x[0], "step": i}
                torch.save(sample, f"sample{i}.pt")  #? MEM703


def flat(path, net, loader):
    saved = torch.load(path, map_location="cpu")  #! MEM702
    net.load_state_dict(saved)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
