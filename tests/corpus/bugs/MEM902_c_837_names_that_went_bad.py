import torch
from torch import amp, autocast
from torch.autograd import Variable
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import ReduceLROnPlateau as Plateau
import torch.autograd as ag


def sched(opt):
    a = lr_scheduler.StepLR(opt, 30, verbose=True)  #! MEM902
    b = Plateau(opt, "min", patience=3, verbose=False)  #! MEM902
    c = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer=opt, T_max=10, verbose=1)  #! MEM902
    return a, b, c


def evaluate(net, loader):
    for x, y in loader:
        x = Variable(x, volatile=True)  #! MEM902 #? MEM201
        y = ag.Variable(y, volatile=True)  #! MEM902
        with amp.autocast():  #! MEM902
            out = net(x)  #! MEM201
        print(out)


def train(net, loader, opt):
    crit = torch.nn.CrossEntropyLoss()
    total = 0.0
    for x, y in loader:
        opt.zero_grad()
        with autocast():  #! MEM902
            loss = crit(net(x), y)
        loss.backward()
        opt.step()
        total += loss.data[0]  #! MEM902
    return total
