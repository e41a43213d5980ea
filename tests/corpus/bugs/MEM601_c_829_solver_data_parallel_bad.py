import torch
from torch.nn import DataParallel as DP


class Solver:
    def __init__(self, net, args):
        self.net = net.cuda()
        if args.multi_gpu and torch.cuda.device_count() > 1:
            self.net = DP(self.net, device_ids=args.gpus)  #! MEM601
        self.opt = torch.optim.Adam(self.net.parameters(), args.lr)

    def fit(self, loader):
        for x, y in loader:
            self.opt.zero_grad()
            torch.nn.functional.cross_entropy(self.net(x), y.cuda()).backward()
            self.opt.step()
