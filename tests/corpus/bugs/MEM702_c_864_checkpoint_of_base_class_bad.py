import torch


class Base:
    def build(self):
        self.net = torch.nn.Linear(3, 3)
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)


class Trainer(Base):
    def __init__(self, args):
        self.args = args
        self.build()
        self.checkpoint = None
        self.start = 0

    def resume(self):
        self.checkpoint = torch.load(self.args.resume, map_location="cpu")  #! MEM702
        sd = self.checkpoint["state_dict"]
        self.net.load_state_dict(sd)
        self.opt.load_state_dict(self.checkpoint["optimizer"])

    def fit(self, loader):
        if self.args.resume:
            self.resume()
            self.start = self.checkpoint["epoch"]
        for e in range(self.start, 10):
            for x, y in loader:
                self.opt.zero_grad()
                torch.nn.functional.cross_entropy(self.net(x), y).backward()
                self.opt.step()
