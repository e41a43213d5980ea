import torch
import torch.nn as nn


class Engine:
    def __init__(self, args, model):
        self.model = model.cuda()
        self.opt = torch.optim.Adam(self.model.parameters(), args.lr)
        self.start = 0
        self.args = args
        if args.ckpt:
            self.ckpt = torch.load(args.ckpt, map_location="cuda")  #! MEM702
            self.model.load_state_dict(self.ckpt["model"])
            self.opt.load_state_dict(self.ckpt["opt"])
            self.start = self.ckpt["epoch"] + 1

    def train(self, loader):
        crit = nn.CrossEntropyLoss()
        for ep in range(self.start, self.args.epochs):
            for x, y in loader:
                self.opt.zero_grad()
                crit(self.model(x.cuda()), y.cuda()).backward()
                self.opt.step()
