import torch


class Trainer:
    def __init__(self, net, resume):
        self.net = net.cuda()
        self.opt = torch.optim.Adam(net.parameters())
        self.state = torch.load(resume, map_location="cpu") if resume else None
        self.epoch = 0

    def restore(self):
        if self.state is not None:
            self.net.load_state_dict(self.state["net"])
            self.epoch = self.state["epoch"]
            self.state = None

    def train(self, loader):
        self.restore()
        for _ in range(self.epoch, 100):
            for x, y in loader:
                self.opt.zero_grad()
                torch.nn.functional.cross_entropy(self.net(x.cuda()), y.cuda()).backward()
                self.opt.step()
