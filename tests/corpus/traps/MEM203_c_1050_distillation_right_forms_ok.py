import torch
import torch.nn as nn
import torch.nn.functional as F


class Distiller(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher, self.student = teacher, student
        for p in self.teacher.parameters():
            p.requires_grad_(False)

    def forward(self, x, y, T=3.0):
        s = self.student(x)
        t = self.teacher(x)
        return F.cross_entropy(s, y) + F.kl_div((s / T).log_softmax(1), (t / T).softmax(1), reduction="batchmean") * T * T


class Perceptual(nn.Module):
    def __init__(self, vgg):
        super().__init__()
        self.vgg = vgg.eval()
        for p in self.vgg.parameters():
            p.requires_grad = False

    def forward(self, a, b):
        return F.l1_loss(self.vgg(a), self.vgg(b.detach()))


def train_distill(d, loader):
    opt = torch.optim.SGD(d.student.parameters(), 0.1)
    for x, y in loader:
        opt.zero_grad()
        d(x, y).backward()
        opt.step()


def train_sr(net, vgg, loader):
    percep = Perceptual(vgg)
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    for lr_img, hr in loader:
        sr = net(lr_img)
        loss = F.l1_loss(sr, hr) + 0.006 * percep(sr, hr)
        opt.zero_grad()  #? MEM122
        loss.backward()
        opt.step()


def mutual_learning(a, b, loader):
    oa, ob = torch.optim.SGD(a.parameters(), 0.1), torch.optim.SGD(b.parameters(), 0.1)
    for x, y in loader:
        pa, pb = a(x), b(x)
        la = F.cross_entropy(pa, y) + F.kl_div(pa.log_softmax(1), pb.detach().softmax(1), reduction="batchmean")
        lb = F.cross_entropy(pb, y) + F.kl_div(pb.log_softmax(1), pa.detach().softmax(1), reduction="batchmean")
        oa.zero_grad()
        la.backward()
        oa.step()
        ob.zero_grad()
        lb.backward()
        ob.step()
