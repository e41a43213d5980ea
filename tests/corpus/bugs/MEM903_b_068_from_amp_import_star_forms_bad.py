import torch
import torch.nn as nn
import torch.cuda.amp as amp  #? MEM903
from torch.cuda.amp import custom_bwd, custom_fwd  #? MEM903


class ScaleGrad(torch.autograd.Function):
    @staticmethod
    @custom_fwd  #! MEM903
    def forward(ctx, x, s):
        ctx.s = s
        return x.view_as(x)

    @staticmethod
    @custom_bwd  #! MEM903
    def backward(ctx, g):
        return g * ctx.s, None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(64, 64), nn.Linear(64, 8)

    def forward(self, x):
        return self.b(ScaleGrad.apply(torch.relu(self.a(x)), 0.1))


def main(loader, epochs=5, use_amp=True):
    net = Net().cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    scaler = amp.GradScaler(enabled=use_amp)  #! MEM903
    for e in range(epochs):
        for x, y in loader:
            with amp.autocast(enabled=use_amp):  #! MEM903
                loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            opt.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        print(e, loss.item())
