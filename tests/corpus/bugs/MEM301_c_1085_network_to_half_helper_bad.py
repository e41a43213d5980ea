import torch
import torch.nn as nn


class ToHalf(nn.Module):
    def forward(self, x):
        return x.half()


def network_to_half(net):
    return nn.Sequential(ToHalf(), net.half())  #= MEM301


def build(args):
    net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.BatchNorm2d(64), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)).cuda()
    if args.fp16:
        net = network_to_half(net)  #! MEM301
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    return net, opt


def train(args, loader):
    net, opt = build(args)
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x.cuda()).float(), y.cuda())
        loss.backward()
        opt.step()
