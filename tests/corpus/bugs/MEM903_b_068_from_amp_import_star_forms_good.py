import torch
import torch.nn as nn
import torch.cuda.amp as amp  #? MEM903
from torch.cuda.amp import custom_bwd, custom_fwd  #? MEM903


class ScaleGrad(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, x, s):
        ctx.s = s
        return x.view_as(x)

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
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
    scaler = torch.amp.GradScaler("cuda", enabled=use_amp)
    for e in range(epochs):
        for x, y in loader:
            with torch.amp.autocast("cuda", enabled=use_amp):
                loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            opt.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        print(e, loss.item())
