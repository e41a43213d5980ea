import torch


class Compare:
    def __init__(self, net, opt, loader):
        self.net, self.opt, self.loader = net, opt, loader

    def train(self):
        for x, y in self.loader:
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()

    def scores(self, paths):
        found = {}
        for path in paths:
            self.net.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
            with torch.no_grad(), torch.autocast("cuda"):
                found[path] = sum(torch.nn.functional.mse_loss(self.net(x).float(), y).item() for x, y in self.loader)
        return found


def main(net, loader):
    c = Compare(net, torch.optim.SGD(net.parameters(), 0.1), loader)
    c.train()
    print(c.scores(["a.pt", "b.pt"]))
