"""A repository of 2018 run with the torch of today."""
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.nn.utils import clip_grad_norm
from torch.optim import lr_scheduler


def evaluate(net, loader):
    total = 0
    for x, y in loader:
        x, y = Variable(x, volatile=True), Variable(y, volatile=True)  #! MEM902 #? MEM201
        total += nn.functional.nll_loss(net(x), y).data[0]  #! MEM902 #? MEM201
    return total / len(loader)


def train(net, loader, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    sched = lr_scheduler.ReduceLROnPlateau(opt, "min", patience=2, verbose=True)  #! MEM902
    for e in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.nll_loss(net(Variable(x)), Variable(y))
            loss.backward()
            clip_grad_norm(net.parameters(), 5.0)  #! MEM904
            opt.step()
        sched.step(evaluate(net, loader))
        print(torch.cuda.max_memory_cached() / 2 ** 20, torch.cuda.memory_cached())  #! MEM904
        torch.cuda.reset_max_memory_allocated()  #! MEM904
