import torch


class Trainer:
    def __init__(self, net, resume):
        self.net = net.cuda()
        self.opt = torch.optim.Adam(net.parameters())
        self.epoch = 0
        if resume:
            self.ckpt = torch.load(resume, map_location="cpu")  #! MEM702
            self.net.load_state_dict(self.ckpt["net"])
            self.opt.load_state_dict(self.ckpt["opt"])
            self.epoch = self.ckpt["epoch"]

    def train(self, loader):
        while self.epoch < 100:
            for x, y in loader:
                self.opt.zero_grad()
                torch.nn.functional.cross_entropy(self.net(x.cuda()), y.cuda()).backward()
                self.opt.step()
            self.epoch += 1
