import copy

import torch


class LocalUpdate:
    def __init__(self, args, loader):
        self.args, self.loader = args, loader

    def train(self, net):
        net.train()
        opt = torch.optim.SGD(net.parameters(), lr=self.args.lr)
        for _ in range(self.args.local_ep):
            for x, y in self.loader:
                x, y = x.to(self.args.device), y.to(self.args.device)
                net.zero_grad()
                torch.nn.functional.cross_entropy(net(x), y).backward()
                opt.step()
        return net.state_dict()


def fedavg(ws):
    avg = copy.deepcopy(ws[0])
    for k in avg:
        for w in ws[1:]:
            avg[k] += w[k]
        avg[k] = torch.div(avg[k], len(ws))
    return avg


def main(args, net, loaders):
    net.to(args.device)
    for rnd in range(args.epochs):
        ws = []
        for loader in loaders:
            w = LocalUpdate(args, loader).train(copy.deepcopy(net).to(args.device))
            ws.append(copy.deepcopy(w))  #? MEM103
        net.load_state_dict(fedavg(ws))
