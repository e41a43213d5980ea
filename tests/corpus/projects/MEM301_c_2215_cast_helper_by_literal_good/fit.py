import torch
import torch.nn.functional as F

from common import autocast, cast_model
from net import make_net


def fit(loader):
    net = cast_model(make_net().cuda(), "fp16")
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(net(x.cuda()), y.cuda())
        loss.backward()
        opt.step()


def fit_amp(loader):
    net = make_net().cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with autocast():
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()


data = torch.utils.data.DataLoader(torch.load("d.pt"), 64)
fit(data)
fit_amp(data)
