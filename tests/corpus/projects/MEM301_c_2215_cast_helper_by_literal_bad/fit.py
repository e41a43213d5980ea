import torch
import torch.nn.functional as F

from common import autocast, cast_model
from net import make_net


def fit(loader):
    net = cast_model(make_net().cuda(), "fp16")  #! MEM301
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(net(x.cuda().half()), y.cuda())
        loss.backward()
        opt.step()


def fit_amp(loader):
    net = make_net().cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    for x, y in loader:
        opt.zero_grad()
        with autocast():
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
        loss.backward()  #! MEM303
        opt.step()


data = torch.utils.data.DataLoader(torch.load("d.pt"), 64)
fit(data)
fit_amp(data)
